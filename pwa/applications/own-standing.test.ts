import { expect, it } from 'vitest'
import { queuedEntry } from '../sync/testing/queued-entry.ts'
import { standingLabel } from './own-standing.tsx'

const withdrawnAt = '2026-11-27T10:00:00.000Z'

it.each([
  ['approved', null, 'You’re a Beacon: your page'],
  ['pending', null, 'You applied: your page'],
  ['rejected', null, null],
  ['rejected', withdrawnAt, null],
] as const)('an event names the own application that is %s, withdrawn at %s, as %j', (status, at, label) => {
  expect(standingLabel({ status, withdrawnAt: at }, { withdrawing: null })).toBe(label)
})

it('an event names no own application whose withdrawal waits on this device', () => {
  const withdrawing = { ...queuedEntry('key', { mutation: 'withdraw-application' }), seq: 1 }
  expect(standingLabel({ status: 'approved', withdrawnAt: null }, { withdrawing })).toBeNull()
})
