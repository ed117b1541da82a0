import type { Knex } from 'knex'

/** Who pays, as the provider is to know them, with its name for them if it has given one. Throws when there is no such user. */
export async function getPayer(db: Knex, userId: number) {
  const user = await db('users').where({ id: userId }).first('id', 'email', 'username', 'stripeCustomerId')
  if (!user) throw new Error(`There is no user ${userId}`)
  return user
}

/** Keeps the provider's name for a user, unless another was kept meanwhile. Answers the one that is kept. */
export async function keepCustomer(db: Knex, userId: number, customerId: string): Promise<string> {
  const [row] = await db('users')
    .where({ id: userId })
    .update({ stripeCustomerId: db.raw('coalesce(stripe_customer_id, ?)', [customerId]) })
    .returning('stripeCustomerId')
  if (!row?.stripeCustomerId) throw new Error(`There is no user ${userId}`)
  return row.stripeCustomerId
}

/** Forgets a name that the provider does not know any more. */
export async function forgetCustomer(db: Knex, userId: number, customerId: string): Promise<void> {
  await db('users').where({ id: userId, stripeCustomerId: customerId }).update({ stripeCustomerId: null })
}
