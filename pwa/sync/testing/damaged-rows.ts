import type { Row } from '../queue/store/outbox-store.ts'

/** What a disk or a hand can leave of a row of the queue. */
export const damages: readonly [string, (row: Row) => object][] = [
  ['arguments that are null', (row) => ({ ...row, args: null })],
  ['arguments that are cut short', (row) => ({ ...row, args: { applicationId: 7 } })],
  ['arguments that are a text', (row) => ({ ...row, args: '{"applicationId":7,"ev' })],
  ['arguments with numbers that are none', (row) => ({ ...row, args: { ...(row.args as object), basis: 7 } })],
  ['no arguments', ({ args: _args, ...row }) => row],
  ['no lane', ({ lane: _lane, ...row }) => row],
  ['no key', ({ key: _key, ...row }) => row],
  ['a state that does not exist', (row) => ({ ...row, state: 'nowhere' })],
  ['no state', ({ state: _state, ...row }) => row],
  ['a refusal that is empty', (row) => ({ ...row, state: 'parked', refusal: {} })],
  ['no number of attempts', ({ attempts: _attempts, ...row }) => row],
]
