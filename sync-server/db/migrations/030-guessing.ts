import type { Knex } from 'knex'

/** Who signs in where they have before is told from strangers who guess, and what strangers tried can be seen. */
export async function up(db: Knex): Promise<void> {
  await db.raw(knownBrowsers)
  await db.raw(failedSignIns)
}

// The cookie is 32 random bytes of which only the hash is kept; several people may use one browser.
const knownBrowsers = `
create table known_browsers (
  user_id integer not null references users on delete cascade,
  id_hash text not null,
  seen_at timestamptz not null,
  primary key (user_id, id_hash)
);
create index known_browsers_hash on known_browsers (id_hash);
create index known_browsers_age on known_browsers (seen_at);
`

// Without a user: tries at addresses that nobody has an account with, counted together.
const failedSignIns = `
create table failed_sign_ins (
  user_id integer references users on delete cascade,
  hour timestamptz not null,
  times integer not null,
  last_at timestamptz not null
);
create unique index failed_sign_ins_place on failed_sign_ins (coalesce(user_id, 0), hour);
create index failed_sign_ins_age on failed_sign_ins (hour);
`
