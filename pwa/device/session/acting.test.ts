import { afterEach, expect, it, vi } from 'vitest'
import { actFor } from '../../browser/acting.ts'
import { textStorage } from '../../sync/testing/text-storage.ts'
import { accountPrefix, forgetActing, may, noteTeamLeft, readTeamLeft } from './acting.ts'

afterEach(() => actFor(null))

const lantern = { organizerId: 4, name: 'Lantern Street' }

it.each([
  [null, ['door', 'reviewer', 'manager', 'owner']],
  ['manager', ['door', 'reviewer', 'manager']],
  ['reviewer', ['door', 'reviewer']],
  ['door', ['door']],
] as const)('somebody who acts as %s may do what these do: %j', (role, allowed) => {
  actFor(role && { ...lantern, role })
  expect((['door', 'reviewer', 'manager', 'owner'] as const).filter((needed) => may(needed))).toEqual(allowed)
})

it('what is kept for another organizer has a prefix of its own within the account’s', () => {
  expect(accountPrefix(7)).toBe('user:7/')
  actFor({ ...lantern, role: 'door' })
  expect(accountPrefix(7)).toBe('user:7/for:4/')
})

it('only who was on the team reads that they left it, until they sign out', () => {
  vi.stubGlobal('localStorage', textStorage())
  noteTeamLeft(7, 'Lantern Street')
  expect([readTeamLeft(7), readTeamLeft(8)]).toEqual(['Lantern Street', null])
  forgetActing()
  expect(readTeamLeft(7)).toBeNull()
  vi.unstubAllGlobals()
})
