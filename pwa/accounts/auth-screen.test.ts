import { expect, it } from 'vitest'
import { linkIn } from './auth-screen.tsx'

it.each([
  ['#reset=abc-_1', { view: 'reset', token: 'abc-_1' }],
  ['#verify=abc', { view: 'verify', token: 'abc' }],
  ['#reset', { view: 'reset', token: null }],
  ['#verify=', { view: 'verify', token: null }],
  ['#sign-up', null],
  ['#forgot', null],
  ['#resets=abc', null],
  ['', null],
])('of %j the sign-in page makes %j', (hash, link) => {
  expect(linkIn(hash)).toEqual(link)
})
