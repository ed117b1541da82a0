import type { Knex } from 'knex'

/** Links in mails that act for an account: a new password, a confirmed address, another address. */
export async function up(db: Knex): Promise<void> {
  await db.raw(columns)
  await db.raw(links)
  await db.raw(documents)
}

// Whoever has an account by now was never asked, and counts as confirmed; so does an account made by an older server.
const columns = `
alter table users
  add column email_verified_at timestamptz default now(),
  add column password_changed_at timestamptz;
`

// A link is 32 random bytes; its token is made of them with a secret of this installation, and only its hash is kept.
const links = `
create table account_links (
  id text primary key,
  token_hash text not null unique,
  purpose text not null check (purpose in ('reset', 'verify', 'change')),
  user_id integer not null references users on delete cascade,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz
);
create unique index account_links_newest on account_links (user_id, purpose) where used_at is null and replaced_at is null;
create index account_links_expiry on account_links (expires_at);
`

// In place, without a new version: an app that knows the new field keeps its copy under another name and pulls it anew,
// one that does not would drop it again.
const documents = `
update sync_log set body = jsonb_set(body::jsonb, '{user,emailVerified}', 'true')::text
where collection = 'account' and not deleted;
`
