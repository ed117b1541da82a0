import { expect, it } from 'vitest'
import { forWhom } from './for-whom.ts'

const userId = 7
const olivia = 1
const teams = [{ organizerId: olivia, name: 'Olivia Park' }]

it.each([
  ['their own events on their own page', { userId }, undefined, undefined],
  ['a team on that team’s page', { userId, organizerId: olivia }, olivia, undefined],
  ['a team on their own page', { userId, organizerId: olivia }, undefined, 'for Olivia Park'],
  ['their own events on a team’s page', { userId }, olivia, 'for your own events'],
  ['a team that they left', { userId, organizerId: 2 }, undefined, 'for another organizer'],
  ['no account, as a visitor', { userId: null }, olivia, undefined],
] as const)('a change for %s names the organizer where the page does not', (_, entry, shownOrganizer, words) => {
  expect(forWhom(entry, shownOrganizer, teams)).toBe(words)
})
