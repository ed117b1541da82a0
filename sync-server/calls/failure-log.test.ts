import { pino } from 'pino'
import { expect, it } from 'vitest'
import { logFailure } from './failure-log.ts'
import { ProblemError } from './problems.ts'

const warning = 40
const failure = 50

function openLog() {
  const lines: { level: number; msg: string; route: string }[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) })
  const say = (error: unknown, nowMs: number, route = 'getEvent') =>
    logFailure(log, error, { route, message: 'a call failed' }, nowMs)
  return { say, levels: () => lines.splice(0).map(({ level }) => level) }
}

const restarting = () => Object.assign(new Error('the database system is starting up'), { code: '57P03' })
const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

it('trouble that passes is a warning, once for each cause and minute', () => {
  const { say, levels } = openLog()
  for (let call = 0; call < 100; call += 1) say(restarting(), call, `route-${call}`)
  say(refused(), 200)
  say(refused(), 300)
  say(new ProblemError('unavailable', 'Too many sign-ins at once.'), 400)
  expect(levels()).toEqual([warning, warning, warning])
  say(restarting(), 59_999)
  expect(levels()).toEqual([])
  say(restarting(), 60_000)
  expect(levels()).toEqual([warning])
})

it('a value that only PostgreSQL refuses is a warning, and any other refusal is none of ours', () => {
  const { say, levels } = openLog()
  for (let call = 0; call < 3; call += 1) say(Object.assign(new Error('out of range'), { code: '22008' }), call)
  say(new ProblemError('not_found', 'Event not found'), 3)
  expect(levels()).toEqual([warning])
})

it('a failure of ours is an error line each time', () => {
  const { say, levels } = openLog()
  for (let call = 0; call < 3; call += 1) say(new TypeError('x is not a function'), call)
  expect(levels()).toEqual([failure, failure, failure])
})

it('the log of one server does not silence that of another', () => {
  const [one, other] = [openLog(), openLog()]
  one.say(restarting(), 0)
  other.say(restarting(), 1)
  expect([one.levels(), other.levels()]).toEqual([[warning], [warning]])
})
