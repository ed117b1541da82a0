import { describe, expect, it } from 'vitest'
import type { Entry } from '../sync/queue/entry.ts'
import { queuedEntry } from '../sync/testing/queued-entry.ts'
import { retriesReader } from './use-mail-log.ts'

function retry(seq: number, mailId: number): Entry {
  const args = { mailId, eventId: 1, applicationId: 7, name: 'Bea Brook' }
  return { ...queuedEntry(`k${seq}`, { lane: `mail:${mailId}`, mutation: 'retry-mail', args }), seq }
}
const decision: Entry = { ...queuedEntry('k9'), seq: 9 }

describe('the queued retries', () => {
  it('are found by mail, the newest of each', () => {
    const read = retriesReader()
    const again = retry(3, 31)
    expect([...read([retry(1, 31), retry(2, 32), again, decision])].map(([id, { seq }]) => [id, seq])).toEqual([
      [31, 3],
      [32, 2],
    ])
  })

  it('stay the same answer while only other changes are queued, so that no mail is painted again', () => {
    const read = retriesReader()
    const mine = retry(1, 31)
    const first = read([mine])
    expect(read([mine, decision])).toBe(first)
    expect(read([{ ...mine, state: 'sending' }, decision])).not.toBe(first)
    expect(read([]).size).toBe(0)
  })
})
