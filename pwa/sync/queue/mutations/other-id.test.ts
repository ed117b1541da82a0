import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import { isIdTaken, withOtherId } from './other-id.ts'
import { customization, eventFields } from '../../testing/people.ts'
import { queuedEntry } from '../../testing/queued-entry.ts'

const created = {
  organizerId: 1,
  timeZone: 'America/Chicago',
  createdAt: '2026-11-20T10:00:00.000Z',
  fields: { ...eventFields, name: 'Mixer' },
}

const refusal = (code: string, fields?: Record<string, string>) =>
  ({ status: 409, at: '2026-11-20T10:00:00.000Z', problem: { code, message: 'No', requestId: 'r', fields } }) as never

const inQueue = (
  seq: number,
  mutation: string,
  args: Record<string, unknown>,
  changes: Partial<Entry> = {},
): Entry => ({
  ...queuedEntry(`key-${seq}`, { lane: `event:${String(args['id'])}`, mutation, args, state: 'blocked' }),
  seq,
  ...changes,
})

const taken = { state: 'parked', attempts: 1, refusal: refusal('already_exists') } as const
const queue: Entry[] = [
  inQueue(1, 'create-event', { id: 5, ...created }, taken),
  inQueue(2, 'customize-event', { id: 5, name: 'Mixer', fields: customization, basis: 'key-1' }, { attempts: 1 }),
  inQueue(3, 'update-event', { id: 6, fields: { ...eventFields, name: 'Mixer' }, basis: null }, { state: 'queued' }),
  inQueue(4, 'update-event', { id: 5, fields: { ...eventFields, name: 'Mixer' }, basis: 'key-2' }, {}),
  inQueue(
    5,
    'update-event',
    { id: 5, fields: { ...eventFields, name: 'Mixer' }, basis: null },
    { userId: 2, state: 'queued' },
  ),
]
let keys = 0
const newKey = () => `new-${++keys}`

describe('a creation whose id is taken', () => {
  it('is known by its refusal, and no other refusal is taken for it', () => {
    const withRefusal = (code: string, fields?: Record<string, string>) =>
      isIdTaken({ mutation: 'create-event', state: 'parked', refusal: refusal(code, fields) })
    expect(withRefusal('already_exists')).toBe(true)
    expect(withRefusal('plan_limit')).toBe(false)
    expect(isIdTaken({ ...queue[1]!, ...taken })).toBe(false)
    expect(isIdTaken({ ...queue[0]!, state: 'queued' })).toBe(false)
  })

  it('goes out under another id, and what waits behind it goes with it', () => {
    const changed = withOtherId(queue, 1, 9, newKey)
    expect(changed.map(({ seq }) => seq).sort()).toEqual([1, 2, 4])
    const [creation, questions, edit] = [1, 2, 4].map((seq) => changed.find((entry) => entry.seq === seq)!)
    expect(creation).toMatchObject({
      lane: 'event:9',
      state: 'queued',
      attempts: 0,
      args: { id: 9, ...created },
    })
    expect(creation).not.toHaveProperty('refusal')
    expect(questions).toMatchObject({
      lane: 'event:9',
      state: 'queued',
      attempts: 0,
      args: { id: 9, basis: creation!.key },
    })
    expect(edit).toMatchObject({ lane: 'event:9', state: 'queued', args: { id: 9, basis: questions!.key } })
    expect(changed.every(({ key }) => key.startsWith('new-'))).toBe(true)
    expect(new Set(changed.map(({ key }) => key)).size).toBe(3)
  })

  it('stays as it is when it was repaired, discarded or sent again meanwhile', () => {
    expect(withOtherId(queue.slice(1), 1, 9, newKey)).toEqual([])
    const again = queue.map((entry) => (entry.seq === 1 ? { ...entry, state: 'queued' as const } : entry))
    expect(withOtherId(again, 1, 9, newKey)).toEqual([])
  })
})
