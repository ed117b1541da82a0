import type { OutboxStore } from './outbox-store.ts'
export async function offerAgain(
  _store: OutboxStore,
  _userId: number,
  _epoch: string | undefined,
  _now: number,
): Promise<number> {
  return 0
}
