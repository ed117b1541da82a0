import type { Knex } from 'knex'

/** What the demo put there is told from what people made, so that a live installation can refuse it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(columns)
  await db.raw(rowsOfBefore)
}

// `demo_role`: what a seeded account is in the demo; null for everybody else's. `closed_at`: since when nobody can sign
// in to it.
const columns = `
alter table users
  add column demo_role text check (demo_role in ('organizer', 'admin')),
  add column closed_at timestamptz;
alter table promo_codes add column is_demo boolean not null default false;
create index users_demo on users (id) where demo_role is not null;
`

// Passwords and addresses of seeded accounts may have been changed since, so neither tells. The seed gave its accounts and
// its promo codes one and the same instant, in whole milliseconds; whatever people make has the database's clock, in
// microseconds, and an instant of its own. That instant is known from any two of the codes, or of the accounts as they
// were named.
const rowsOfBefore = `
with instants as (
  select created_at from promo_codes
  where code in ('WELCOME20', 'FLOOR50', 'BEACON100', 'SPRING10') and valid_from = created_at
  group by created_at having count(*) >= 2
  union
  select created_at from users
  where lower(username) in ('olivia', 'otto', 'ada') or lower(email) in ('olivia@example.com', 'otto@example.com', 'ada@example.com')
  group by created_at having count(*) >= 2
), seeded as (
  select created_at from instants where created_at = date_trunc('milliseconds', created_at)
), people as (
  update users set demo_role = case when is_admin then 'admin' else 'organizer' end
  where created_at in (select created_at from seeded)
)
update promo_codes set is_demo = true
  where code in ('WELCOME20', 'FLOOR50', 'BEACON100', 'SPRING10') and created_at in (select created_at from seeded);
`
