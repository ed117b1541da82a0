import { describe, expect, it } from 'vitest'
import { createDisk, createMemoryStore } from '../memory-store.ts'
import { add, queuedEntry } from '../queued-entry.ts'
import { openLedger } from './ledger.ts'

async function phoneWithOneChange() {
  const ledger = openLedger()
  const store = ledger.watch('phone', createMemoryStore(createDisk()))
  const { added } = await add(store, [queuedEntry('first')])
  return { ledger, store, entry: added[0]! }
}

describe('the ledger of a phone', () => {
  it('takes a change that goes on under a new key for withdrawn under its old one', async () => {
    const { ledger, store, entry } = await phoneWithOneChange()
    await store.change('all', () => ({ put: [{ ...entry, key: 'second' }], result: undefined }))
    expect([...ledger.lines.values()].map(({ key, told }) => [key, told])).toEqual([
      ['first', 'withdrawn'],
      ['second', 'saved'],
    ])
  })

  it('keeps the refusal of a change that is sent once more under a new key', async () => {
    const { ledger, store, entry } = await phoneWithOneChange()
    const problem = { code: 'conflict', message: 'Somebody was faster', requestId: 'r' } as const
    const refusal = { status: 409, problem, at: '2026-11-20T10:01:00.000Z' }
    await store.change('all', () => ({ put: [{ ...entry, state: 'parked', refusal }], result: undefined }))
    await store.change('all', () => ({ put: [{ ...entry, key: 'second' }], result: undefined }))
    expect([...ledger.lines.values()].map(({ key, told }) => [key, told])).toEqual([
      ['first', 'refused'],
      ['second', 'saved'],
    ])
  })
})
