import { expect, it } from 'vitest'
import type { ApplicationRow, EventRow } from '../../../sync/replica/fold.ts'
import { applicationDocument, eventDocument } from '../../../sync/testing/people.ts'
import { collectWaiting, countByEvent, countRows } from './waiting-rows.ts'

type Status = 'pending' | 'approved'

const row = (id: number, eventId: number, status: Status, day: string) =>
  ({ application: applicationDocument(id, eventId, { status, createdAt: `2026-11-${day}` }) }) as ApplicationRow

it('the inbox holds what waits over all events, and what was decided since it was opened', () => {
  const view = (rows: readonly ApplicationRow[]) => {
    const applicationsOf = (id: number) => rows.filter(({ application }) => application.eventId === id)
    const events = [1, 2].map((id) => {
      return { event: eventDocument(id), counts: countRows(applicationsOf(id)) } as EventRow
    })
    return { events, applicationsOf }
  }
  const ids = (rows: readonly ApplicationRow[]) => rows.map(({ application }) => application.id)
  const waiting = collectWaiting()
  const [ana, ben] = [row(11, 1, 'pending', '02'), row(21, 2, 'pending', '05')]
  const earlier = row(12, 1, 'approved', '03')
  expect(ids(waiting(view([ana, earlier, ben])))).toEqual([21, 11])
  const decided = row(11, 1, 'approved', '02')
  expect(ids(waiting(view([decided, earlier, ben, row(22, 2, 'pending', '04')])))).toEqual([21, 22, 11])
  expect(ids(waiting(view([earlier, ben]))), 'a deleted one goes').toEqual([21])
})

it('the inbox reads an event again only when its applications are another array', () => {
  const applications = new Map([1, 2].map((id) => [id, [row(id * 10 + 1, id, 'pending', `0${id}`)]]))
  const waiting = collectWaiting()
  const look = () => {
    const events = [...applications.keys()].map((id) => ({ event: eventDocument(id) }) as EventRow)
    return waiting({ events, applicationsOf: (id) => applications.get(id) ?? [] })
  }
  const before = look()
  applications.get(1)?.push(row(12, 1, 'pending', '03'))
  expect(look()).toBe(before)
  applications.set(2, [row(22, 2, 'pending', '01'), row(21, 2, 'pending', '02')])
  expect(look().map(({ application }) => application.id)).toEqual([21, 22, 11])
  applications.delete(2)
  expect(look().map(({ application }) => application.id)).toEqual([11])
})

it('the inbox counts who waits at each event, and leaves out where nobody does', () => {
  const rows = [row(11, 1, 'pending', '02'), row(21, 2, 'approved', '03'), row(31, 3, 'pending', '04')]
  const more = [...rows, row(32, 3, 'pending', '05')]
  const [one, two, three] = [1, 2, 3].map((eventId) => ({ eventId, count: [1, 0, 2][eventId - 1] }))
  expect(countByEvent(more, [3, 1, 2], null)).toEqual([three, one])
  expect(countByEvent(more, [1, 2, 3], 2), 'the one that is looked at stays').toEqual([one, two, three])
})
