import type { Knex } from 'knex'
import { insertJob } from '../jobs/job-store.ts'
import type { Task } from '../jobs/worker.ts'
import type { PaymentService } from './payment-service.ts'

export const deleteCustomerKind = 'delete-customer'

/** Queues the deletion of an account's customer at the payment provider, where payments stay without the person. */
export async function queueCustomerDeletion(trx: Knex, customerId: string): Promise<void> {
  await insertJob(trx, {
    kind: deleteCustomerKind,
    key: `${deleteCustomerKind}:${customerId}`,
    payload: { customerId },
  })
}

export const deleteCustomer =
  (service: PaymentService): Task =>
  async ({ payload }) => {
    if (typeof payload['customerId'] === 'string') await service.deleteCustomer(payload['customerId'])
    return undefined
  }
