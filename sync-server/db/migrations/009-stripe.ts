import type { Knex } from 'knex'

/** What a payment by card needs to be followed from its beginning to a refund, and the provider's events, each once. */
export async function up(db: Knex): Promise<void> {
  await db.raw(followedPayments)
  await db.raw(events)
}

// `provider_key` names a payment towards the provider before the provider has a name for it. `provider_status` is the
// provider's own word. `expires_at` is when a payment that was begun is given up and its promo code is free again.
const followedPayments = `
alter table payments
  add column provider_key uuid unique,
  add column provider_status text,
  add column attempted boolean not null default false,
  add column promo_reserved boolean not null default false,
  add column expires_at timestamptz,
  add column asked_at timestamptz,
  add column paid_at timestamptz,
  add column revoked_at timestamptz,
  add column refunded_cents integer not null default 0 check (refunded_cents >= 0),
  add column disputed_cents integer not null default 0 check (disputed_cents >= 0);
create index payments_unsettled on payments (user_id, id) where provider = 'stripe' and status = 'pending';
`

const events = `
create table stripe_events (
  id text primary key,
  type text not null,
  payment_id integer references payments on delete set null,
  outcome text not null,
  received_at timestamptz not null default now()
);
`
