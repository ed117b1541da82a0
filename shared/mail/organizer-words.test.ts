import { expect, it } from 'vitest'
import { placeInMail } from './organizer-words.ts'

it('the place of an unconfirmed organizer is cut between characters', () => {
  const place = { location: `${'x'.repeat(119)}🎟🎟`, address: '1 Harbor Way', city: null }
  expect(placeInMail(place, false)).toEqual({ ...place, location: `${'x'.repeat(119)}🎟` })
})
