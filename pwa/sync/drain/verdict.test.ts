import { describe, expect, it } from 'vitest'
import { problemStatus, type ProblemCode } from '#shared/contract/problem.ts'
import { classify, type Outcome, type Verdict } from './verdict.ts'
import { problem } from '../testing/model-server.ts'

const ours = (status: number, body: unknown, more: Partial<Outcome> = {}): Outcome => ({
  status,
  echoed: true,
  body,
  ...more,
})
const refused = (code: ProblemCode) => ours(problemStatus[code], problem(code))

const table: [string, Outcome, Verdict['kind']][] = [
  ['200 with the key', ours(200, { id: 1 }, { version: 7 }), 'acknowledged'],
  ['204 with the key', ours(204, undefined), 'acknowledged'],
  ['200 without the key: a portal', { status: 200, echoed: false, body: undefined }, 'unreachable'],
  ['200 {} without the key', { status: 200, echoed: false, body: {} }, 'unreachable'],
  ['a redirect', { status: 302, echoed: false, body: undefined }, 'unreachable'],
  ['a hidden redirect', { status: 0, echoed: false, body: undefined }, 'unreachable'],
  ['304 with the key', ours(304, undefined), 'unreachable'],
  ['401 session expired', refused('session_expired'), 'needsAuth'],
  ['401 of a proxy', { status: 401, echoed: false, body: undefined }, 'unreachable'],
  ['409 of another account', refused('account_mismatch'), 'needsAuth'],
  ['400 invalid', refused('invalid_input'), 'parked'],
  ['404', refused('not_found'), 'parked'],
  ['409 conflict', refused('conflict'), 'parked'],
  ['422 cancelled', refused('cancelled'), 'parked'],
  ['403 that is not our JSON', ours(403, '<html>'), 'unreachable'],
  ['404 of another server', { status: 404, echoed: false, body: problem('not_found') }, 'unreachable'],
  ['408', ours(408, undefined), 'retry'],
  ['425', ours(425, undefined), 'retry'],
  ['429', refused('too_many_requests'), 'retry'],
  ['500', refused('internal'), 'retry'],
  ['599', ours(599, undefined), 'retry'],
  ['502 of a gateway', { status: 502, echoed: false, body: undefined }, 'unreachable'],
  ['426', refused('app_too_old'), 'update-app'],
  ['a reason this app does not know', ours(409, { code: 'too_many_hosts', message: 'Ask your host.' }), 'parked'],
  ['a status and a reason this app does not know', ours(451, { code: 'by_law', message: 'No.' }), 'parked'],
]

describe('the meaning of an answer', () => {
  it.each(table)('%s', (_, outcome, kind) => {
    expect(classify(outcome).kind).toBe(kind)
  })

  it('carries what the next step needs', () => {
    expect(classify(ours(200, { id: 1 }, { version: 7, epoch: 'e' }))).toEqual({
      kind: 'acknowledged',
      version: 7,
      epoch: 'e',
      body: { id: 1 },
    })
    expect(classify(ours(503, problem('unavailable'), { retryAfterSeconds: 12 }))).toEqual({
      kind: 'retry',
      afterSeconds: 12,
    })
    expect(classify(refused('plan_limit'))).toMatchObject({
      kind: 'parked',
      status: 402,
      problem: { code: 'plan_limit' },
    })
  })

  it('of a 404 is success when what was to be deleted is missing, and only our 404', () => {
    expect(classify(refused('not_found'), { missingIsSuccess: true })).toMatchObject({
      kind: 'acknowledged',
      version: null,
    })
    expect(classify(ours(404, '<html>'), { missingIsSuccess: true }).kind).toBe('unreachable')
    expect(classify(refused('forbidden'), { missingIsSuccess: true }).kind).toBe('parked')
  })

  it('is known for every reason the server refuses for', () => {
    for (const code of Object.keys(problemStatus) as ProblemCode[])
      expect(classify(refused(code)).kind).not.toBe('unreachable')
  })
})
