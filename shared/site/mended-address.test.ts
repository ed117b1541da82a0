import { expect, it } from 'vitest'
import { mendedAddress } from './mended-address.ts'

const origin = 'https://beaconry.example'
const mended = (path: string) => mendedAddress(new URL(path, origin))

it.each([
  ['/events/12)', '/events/12'],
  ['/events/12).', '/events/12'],
  ['/events/12/apply,', '/events/12/apply'],
  ['/events/12”', '/events/12'],
  ['/events/12>', '/events/12'],
  ['/events/12&fbclid=IwAR0x_y-z', '/events/12'],
  ['/events/12&utm_source=chat&utm_medium=x', '/events/12'],
  ['/events/12/apply#application=abc).', '/events/12/apply#application=abc'],
  ['/auth#verify=abc&fbclid=IwAR0', '/auth#verify=abc'],
  ['/team/join#abc?fbclid=IwAR0', '/team/join#abc'],
  ['/.', '/'],
])('a link that a chat has changed leads to the page: %s', (changed, page) => {
  expect(mended(changed)).toBe(page)
})

it.each(['/', '/events/12', '/events?q=Party!&fbclid=x', '/blog/brief-your-beacons#who-comes', '/auth#reset=a_b-c'])(
  'an address that is right stays: %s',
  (address) => {
    expect(mended(address)).toBe(address)
  },
)
