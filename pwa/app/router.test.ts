import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addressOf, planAddress, publicPages } from '#shared/site/pages.ts'

const router = readFileSync(new URL('./router.tsx', import.meta.url), 'utf8')
const address = /(?:<Route path="|^ {2}'?)([a-z][\w:/-]*)(?:"|'?: screen\()/gm
const addressesIn = (text: string) => [...text.matchAll(address)].map(([, path = '']) => path)
const addresses = addressesIn(router)
/** The maps of screens that exist only where there are plans. */
const ofPlans = new Set(
  [...router.matchAll(/^const \w*[pP]lanScreens = \{\n([^]*?)^\}/gm)].flatMap(([map]) => addressesIn(map)),
)

describe('the addresses of the app', () => {
  it('can be read from the router', () => {
    expect(addresses.length).toBeGreaterThan(20)
  })

  // An address the server does not know answers 404 to search engines and link previews: name it in shared/site/pages.ts.
  it.each(addresses)('%s is known to the server', (path) => {
    const example = path.replace(':slug', 'brief-your-beacons').replace(/:\w+/g, '12')
    expect(addressOf(`/${example}`).kind).not.toBe('unknown')
  })

  it.each(addresses)('%s is on a server without plans exactly where it is not about plans', (path) => {
    expect(planAddress.test(`/${path}`)).toBe(ofPlans.has(path))
  })

  it.each(publicPages.map(({ path }) => path))('%s, which search engines are told of, can be opened', (path) => {
    expect(path === '/' || addresses.includes(path.slice(1))).toBe(true)
  })
})
