import { describe, expect, it } from 'vitest'
import { labelOf } from './mutations/mutations.ts'
import { readExport } from './queue-file.ts'
import { directTransport } from '../testing/model-transport.ts'
import { oliviaId, ottoId } from '../testing/people.ts'
import { approve, olivia, phone } from '../testing/queue-phone.ts'

it('the queue as a file moves to another phone, where sending it again changes nothing', async () => {
  const { server, time, outbox, states, enqueueApproval } = phone()
  await enqueueApproval(7)
  const file = await outbox.exportQueue(oliviaId)
  await time.pass(9000)
  const other = phone({ autoWake: false })
  expect(await other.outbox.importQueue(file, olivia)).toEqual({ added: 1, skipped: 0 })
  expect(await other.outbox.importQueue(file, olivia)).toEqual({ added: 0, skipped: 1 })
  other.network.transport = directTransport(server, () => oliviaId)
  await other.wake('online')
  expect(await other.states()).toEqual(['acknowledged'])
  expect(await states()).toEqual(['acknowledged'])
  expect(server.effects).toHaveLength(1)
  await expect(other.outbox.importQueue(file, { userId: ottoId })).rejects.toThrow('another account')
  await expect(other.outbox.importQueue('{}', olivia)).rejects.toThrow('not a file of saved changes')
})

describe('a file that somebody else has written', () => {
  const key = (number: number) => `3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c${String(number).padStart(2, '0')}`
  const entry = (changes: object = {}) => ({
    key: key(1),
    userId: oliviaId,
    lane: 'application:7',
    mutation: 'decide-application',
    argsVersion: 1,
    args: approve(7),
    createdAt: '2026-11-22T08:00:00.000Z',
    attempts: 0,
    state: 'queued',
    ...changes,
  })
  const fileOf = (entries: readonly unknown[], changes: object = {}) =>
    JSON.stringify({
      format: 'beaconry-outbox',
      formatVersion: 1,
      userId: oliviaId,
      exportedAt: '2026-11-22T09:00:00.000Z',
      entries,
      ...changes,
    })

  it('says what it would do before it does anything', async () => {
    const { pending } = phone({ autoWake: false })
    const file = readExport(fileOf([entry(), entry({ key: key(2), lane: 'application:8', args: approve(8) })]))
    expect(file).toMatchObject({ userId: oliviaId, exportedAt: '2026-11-22T09:00:00.000Z', unreadable: [] })
    expect(file.entries.map(labelOf)).toEqual([
      labelOf({ mutation: 'decide-application', argsVersion: 1, args: approve(7) }),
      labelOf({ mutation: 'decide-application', argsVersion: 1, args: approve(8) }),
    ])
    expect(await pending()).toEqual([])
  })

  it.each([
    ['', 'not a file of saved changes'],
    ['null', 'not a file of saved changes'],
    ['[]', 'not a file of saved changes'],
    ['{"format":"beaconry-outbox","formatVersion":1,"userId":1,"entries":{}}', 'not a file of saved changes'],
    ['{"format":"beaconry-outbox","formatVersion":2,"userId":1,"entries":[]}', 'not a file of saved changes'],
    ['{"format":"beaconry-outbox","formatVersion":1,"userId":"1","entries":[]}', 'not a file of saved changes'],
    [`"${'x'.repeat(5_000_001)}"`, 'too large'],
    [fileOf(Array.from({ length: 5_001 }, () => 0)), 'too large'],
  ])('is refused in plain words, and nothing changes (%#)', async (text, message) => {
    const { outbox, enqueueApproval, pending } = phone({ autoWake: false })
    await enqueueApproval(9)
    const before = await pending()
    await expect(outbox.importQueue(text, olivia)).rejects.toThrow(message)
    expect(await pending()).toEqual(before)
  })

  it.each([
    [{ userId: ottoId }, 'Sign in with it on this device'],
    [{ userId: null }, 'Sign out here'],
  ])('for another account is not taken (%o)', async (owner, message) => {
    const { outbox, pending } = phone({ autoWake: false })
    await expect(outbox.importQueue(fileOf([entry()], owner), olivia)).rejects.toThrow(message)
    expect(await pending()).toEqual([])
  })

  const own = { applicationId: 7, eventId: 1, name: 'Bea' }
  it.each([
    ['no arguments', entry({ args: null })],
    ['arguments of another kind', entry({ args: 'approve' })],
    ['arguments in a list', entry({ args: [] })],
    ['arguments cut short', entry({ args: {} })],
    ['no place to send it to', entry({ args: { ...approve(7), applicationId: { $gt: 0 } } })],
    ['a lane that is not its own', entry({ lane: 'application:8' })],
    ['a key that is none', entry({ key: '../../etc/passwd' })],
    ['a count that is none', entry({ attempts: -1 })],
    ['a version that is none', entry({ argsVersion: 'x' })],
    ['a time that is none', entry({ createdAt: 'yesterday' })],
    ['an event without its fields', entry({ mutation: 'create-event', lane: 'event:5', args: { id: 5 } })],
    [
      'an application without its fields',
      entry({ mutation: 'apply-as-beacon', lane: 'apply:1:', args: { eventId: 1 } }),
    ],
    ['nothing at all', null],
    ['a number', 7],
  ])('with a change that has %s leaves that one out and takes the others', async (_, broken) => {
    const { outbox, pending } = phone({ autoWake: false })
    const text = fileOf([
      broken,
      entry({ key: key(9), lane: 'marks:7', mutation: 'mark-application', args: { ...own, starred: true } }),
    ])
    expect(readExport(text).unreadable).toEqual(['It is damaged.'])
    expect(await outbox.importQueue(text, olivia)).toEqual({ added: 1, skipped: 0 })
    expect((await pending()).map(({ mutation }) => mutation)).toEqual(['mark-application'])
  })

  it.each([
    ['of a name nobody knows', entry({ mutation: 'drop-everything' })],
    ['of a name every object has', entry({ mutation: '__proto__' })],
    ['of a later version', entry({ argsVersion: 99 })],
  ])('with a change %s asks for the update and leaves it in the file', async (_, unknown) => {
    const { outbox } = phone({ autoWake: false })
    expect(readExport(fileOf([unknown])).unreadable).toEqual([expect.stringContaining('Update the app')])
    expect(await outbox.importQueue(fileOf([unknown]), olivia)).toEqual({ added: 0, skipped: 0 })
  })

  it('with one key several times counts once, in any case of letters', async () => {
    const { outbox, pending } = phone({ autoWake: false })
    const text = fileOf([
      entry(),
      entry({ lane: 'application:8', args: approve(8) }),
      entry({ key: key(1).toUpperCase() }),
    ])
    expect(await outbox.importQueue(text, olivia)).toEqual({ added: 1, skipped: 0 })
    expect((await pending()).map(({ lane }) => lane)).toEqual(['application:7'])
  })

  it('with a reason for a refusal that cannot be read sends the change once more', async () => {
    for (const refusal of [
      null,
      {},
      { status: 409 },
      { status: 409, at: '2026-11-22T08:00:00Z', problem: { code: 1 } },
    ]) {
      const [read] = readExport(fileOf([entry({ state: 'parked', refusal })])).entries
      expect(read).toMatchObject({ state: 'queued' })
      expect(read).not.toHaveProperty('refusal')
    }
  })

  it('shows a label that stays on its line', () => {
    const args = { ...own, name: 'Bea\n\u202eevil' + 'x'.repeat(500), starred: true }
    const [read] = readExport(fileOf([entry({ lane: 'marks:7', mutation: 'mark-application', args })])).entries
    expect(labelOf(read!)).not.toMatch(/[\n\u202e]/)
    expect(labelOf(read!).length).toBeLessThanOrEqual(240)
  })
})
