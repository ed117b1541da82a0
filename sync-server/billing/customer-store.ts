import type { Knex } from 'knex'

/** Keeps the provider's name for a user, unless another was kept meanwhile. Answers the one that is kept. */
export async function keepCustomer(db: Knex, userId: number, customerId: string): Promise<string> {
  const [row] = await db('users')
    .where({ id: userId })
    .update({ stripe_customer_id: db.raw('coalesce(stripe_customer_id, ?)', [customerId]) })
    .returning('stripe_customer_id')
  if (!row?.stripe_customer_id) throw new Error(`There is no user ${userId}`)
  return row.stripe_customer_id
}

/** Forgets a name that the provider does not know any more. */
export async function forgetCustomer(db: Knex, userId: number, customerId: string): Promise<void> {
  await db('users').where({ id: userId, stripe_customer_id: customerId }).update({ stripe_customer_id: null })
}
