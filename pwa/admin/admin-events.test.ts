import { describe, expect, it } from 'vitest'
import type { AdminEvent } from '#shared/admin/admin-event-calls.ts'
import { arrangeEvents } from './admin-events.tsx'

const event = (id: number, name: string, startDate: string, more: Partial<AdminEvent> = {}): AdminEvent => ({
  id,
  name,
  organizer: { id: 1, username: 'Olivia' },
  startDate,
  endDate: startDate,
  isUpcoming: true,
  applicationCount: 0,
  takenDown: null,
  ...more,
})
const events = [
  event(1, 'Harbor Mixer', '2026-03-01', { isUpcoming: false }),
  event(2, 'Quay Night', '2026-12-05'),
  event(3, 'Tickets!', '2026-12-01', {
    organizer: { id: 2, username: 'otto' },
    takenDown: { at: '2026-11-01T00:00:00.000Z', reason: 'No networking event.' },
  }),
]
const found = (search: string) => arrangeEvents(events, search).map(({ id }) => id)

describe('the events an admin looks at', () => {
  it('come latest first', () => expect(found('')).toEqual([2, 3, 1]))

  it.each([
    ['MIXER harbor', [1]],
    ['otto', [3]],
    ['december', [2, 3]],
    ['2026-12-05', [2]],
    ['taken down', [3]],
    ['past olivia', [1]],
    ['upcoming', [2]],
    ['nothing like it', []],
  ])('are found by %s', (search, expected) => expect(found(search)).toEqual(expected))

  it('are found by the plain letters of a name with accents', () => {
    const named = [event(1, 'Soirée', '2026-12-01', { organizer: { id: 3, username: 'Núñez' } }), ...events]
    expect(arrangeEvents(named, 'soiree nunez').map(({ name }) => name)).toEqual(['Soirée'])
  })
})
