import { describe, expect, it } from 'vitest'
import { manualTime } from '../testing/manual-time.ts'
import { manageReplica, type CopiesTerms, type OpenCopy, type Reset } from './copies.ts'
import type { SyncMeta } from './sync-meta.ts'

/** A device that keeps copies; its storage fails as often as `failures` says. */
function device(known?: SyncMeta) {
  const time = manualTime()
  const done: string[] = []
  const failures = { count: 0 }
  let reset: (reset: Reset) => void = () => undefined
  const terms: CopiesTerms<OpenCopy> = {
    userId: 1,
    readMeta: async () => known,
    writeMeta: async ({ copy }) => void done.push(`wrote ${copy}`),
    askEpoch: async () => 'e',
    run: async ({ epoch, copy }, { onReset }) => {
      done.push(`opened ${epoch} ${copy}`)
      reset = onReset
      return { close: async () => void done.push('closed') }
    },
    offerAgain: async (epoch) => {
      if (failures.count-- > 0) throw new Error('QuotaExceededError')
      done.push(`offered ${epoch}`)
    },
    onExchange: () => undefined,
    onStorageFails: (fails) => void done.push(fails ? 'fails' : 'fails no more'),
    pause: (milliseconds) => new Promise((resolve) => void time.timers.after(milliseconds, resolve)),
    wakeUp: () => undefined,
    newKey: () => 'random',
    now: time.now,
    random: () => 0,
  }
  return { time, done, failures, terms, reset: (one: Reset) => reset(one) }
}

const kept: SyncMeta = { userId: 1, epoch: 'e', copy: 'e', heads: {}, asOf: null }

describe('the copies of an account', () => {
  it('begin with the epoch the server is in, after what an earlier epoch settled was offered', async () => {
    const { done, terms } = device()
    const copies = manageReplica(terms)
    await copies.opened
    expect(done).toEqual(['offered e', 'opened e e'])
  })

  it('begin in the end when the storage fails at first', async () => {
    const { time, done, failures, terms } = device()
    failures.count = 3
    const copies = manageReplica(terms)
    await time.pass(60_000)
    await copies.opened
    expect(done).toEqual(['fails', 'offered e', 'opened e e', 'fails no more'])
    expect(copies.running()).not.toBeNull()
  })

  it('are exchanged in the end when the storage fails meanwhile', async () => {
    const { time, done, failures, terms, reset } = device(kept)
    await manageReplica(terms).opened
    failures.count = 2
    reset({ kind: 'reset', reason: 'history', epoch: 'f' })
    await time.pass(60_000)
    const exchanged = ['offered undefined', 'wrote f', 'closed', 'opened f f']
    expect(done).toEqual(['opened e e', 'fails', ...exchanged, 'fails no more'])
  })
})
