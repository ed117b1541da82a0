import { expect, it } from 'vitest'
import type { Entry } from '../queue/entry.ts'
import { problem } from '../testing/model-server.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import { patientVerdict, type Verdict } from './verdict.ts'

const now = 1_800_000_000_000
const hour = 3_600_000
const offered = (since: number): Entry => ({ ...queuedEntry('k', { attempts: 1, again: { since } }), seq: 1 })
const missing: Verdict = { kind: 'parked', status: 404, problem: problem('not_found') }

it('a change that is offered again waits a day for what it is about, and not longer because the clock was set back', () => {
  const kindAfter = (waitedMs: number) => patientVerdict(offered(now - waitedMs), missing, now).kind
  expect([0, 23 * hour, 25 * hour].map(kindAfter)).toEqual(['retry', 'retry', 'parked'])
  expect([-23 * hour, -25 * hour, -100_000 * hour].map(kindAfter)).toEqual(['retry', 'parked', 'parked'])
})

it('a deletion that is offered again waits as long for what it met nothing of, and then counts as done', () => {
  const gone: Verdict = { kind: 'acknowledged', version: null, body: undefined, missing: true }
  const kindAfter = (waitedMs: number) => patientVerdict(offered(now - waitedMs), gone, now).kind
  expect([0, 23 * hour, 25 * hour].map(kindAfter)).toEqual(['retry', 'retry', 'acknowledged'])
  expect(patientVerdict({ ...queuedEntry('k'), seq: 1 }, gone, now).kind).toBe('acknowledged')
  const done: Verdict = { kind: 'acknowledged', version: 7, body: undefined }
  expect(patientVerdict(offered(now), done, now).kind).toBe('acknowledged')
})
