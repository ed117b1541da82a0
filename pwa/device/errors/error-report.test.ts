import { describe, expect, it } from 'vitest'
import { afterTry, framesOf, placeOf, screenOf, withError, withoutSent, type KeptError } from './error-report.ts'

const origin = 'https://venue.test'
const chromium = `TypeError: Bea Moss is not a function
    at Card (https://venue.test/assets/event-card-B1.js:1:2345)
    at async https://venue.test/assets/index-A_2.js?token=bea:12:3
    at extension (chrome-extension://abc/assets/inject.js:1:1)
    at https://elsewhere.test/assets/index-A_2.js:1:1
    at https://venue.test/events/12:4:5
    at eval (eval at go (https://venue.test/assets/kit-C.js:1:1), <anonymous>:1:9)
    at Array.map (<anonymous>)`

describe('a stack', () => {
  it('becomes the places in our own files, without address, query or message', () => {
    expect(framesOf(chromium, origin)).toEqual(['event-card-B1.js:1:2345', 'index-A_2.js:12:3'])
  })

  it('is read as Firefox and Safari write it, too', () => {
    const stack =
      'Card@https://venue.test/assets/event-card-B1.js:1:2345\n@https://venue.test/assets/index-A.js:2:3\nmap@[native code]'
    expect(framesOf(stack, origin)).toEqual(['event-card-B1.js:1:2345', 'index-A.js:2:3'])
  })

  it('gives the eight innermost places at most', () => {
    const lines = Array.from({ length: 30 }, (_, n) => `    at https://venue.test/assets/a.js:1:${n}`)
    expect(framesOf(lines.join('\n'), origin)).toEqual(Array.from({ length: 8 }, (_, n) => `a.js:1:${n}`))
  })
})

it.each([
  ['/', '/'],
  ['/events/', '/events'],
  ['/events/123456789012', '/events/:id'],
  ['/events/12/apply', '/events/:id/apply'],
  ['/events/manage/12/poster', '/events/manage/:id/poster'],
  ['/admin/accounts/7', '/admin/accounts/:id'],
  ['/blog/brief-your-beacons', '/blog/:id'],
  ['/bea-moss', '/:id'],
  ['/a/b/c/d/e/f/g', '/:id/:id/:id/:id/:id'],
])('an address %s is the screen %s', (pathname, screen) => {
  expect(screenOf(pathname)).toBe(screen)
})

describe('an error', () => {
  const at = { origin, pathname: '/events/12', version: '1.0.0' }
  const thrown = (name: string, stack: string) => Object.assign(new Error('Bea Moss'), { name, stack })

  it('is reported by its kind, version, screen and frames alone', () => {
    const place = { name: 'RangeError', version: '1.0.0', screen: '/events/:id', frames: ['a.js:1:2'] }
    expect(placeOf(thrown('RangeError', '@https://venue.test/assets/a.js:1:2'), at)).toEqual(place)
    expect(placeOf(thrown('Bea Moss', '@https://venue.test/assets/a.js:1:2'), at)).toEqual({ ...place, name: 'Error' })
  })

  it('is left out where none of our files took part', () => {
    expect(placeOf(thrown('TypeError', '@chrome-extension://abc/assets/a.js:1:2'), at)).toBeUndefined()
    expect(placeOf('Bea Moss', at)).toBeUndefined()
    expect(placeOf(undefined, at)).toBeUndefined()
  })
})

describe('what is kept', () => {
  const place = (n: number) => ({ name: 'Error', version: '1.0.0', screen: '/', frames: [`a.js:1:${n}`] })
  const filled = (count: number) =>
    Array.from({ length: count }, (_, n) => place(n)).reduce<readonly KeptError[]>(withError, [])

  it('counts the same error, whatever screen it is on, and holds twenty that differ', () => {
    const twice = withError(filled(1), { ...place(0), screen: '/events' })
    expect(twice).toEqual([{ ...place(0), times: 2, tries: 0 }])
    expect(filled(30)).toEqual(filled(20))
    expect(withError(filled(20), place(19)).at(-1)).toMatchObject({ times: 2 })
  })

  it('counts to a thousand', () => {
    const full = [{ ...place(0), times: 1000, tries: 0 }]
    expect(withError(full, place(0))).toEqual(full)
  })

  it('leaves three times at most without an answer', () => {
    const once = afterTry(filled(1))
    expect(once).toMatchObject([{ times: 1, tries: 1 }])
    expect(afterTry(once)).toMatchObject([{ tries: 2 }])
    expect(afterTry(afterTry(once))).toEqual([])
  })

  it('loses with an answer what was sent, and keeps what happened meanwhile', () => {
    const sent = filled(2)
    const meanwhile = withError(withError(afterTry(sent), place(0)), place(7))
    expect(withoutSent(meanwhile, sent)).toEqual([
      { ...place(0), times: 1, tries: 0 },
      { ...place(7), times: 1, tries: 0 },
    ])
  })
})
