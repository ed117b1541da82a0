import type { Knex } from 'knex'

/** The three plans on sale. Their ids are part of the product: 1 is single, 2 is multi, 3 is unlimited. */
export async function up(db: Knex): Promise<void> {
  await db<object>('subscription_plans').insert([
    {
      id: 1,
      name: 'Single Event',
      description: 'Everything one event needs to find and approve its Beacons.',
      tier: 'single',
      price_cents: 2000,
      event_limit: 1,
      duration_days: 365,
    },
    {
      id: 2,
      name: 'Multi Event',
      description: 'Three events within a year, for organizers with a season.',
      tier: 'multi',
      price_cents: 4900,
      event_limit: 3,
      duration_days: 365,
    },
    {
      id: 3,
      name: 'Unlimited',
      description: 'As many events as you like for a year, with priority support.',
      tier: 'unlimited',
      price_cents: 14900,
      event_limit: -1,
      duration_days: 365,
    },
  ])
}
