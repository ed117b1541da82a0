import * as fc from 'fast-check'
import * as z from 'zod'
import { endpoint } from '#shared/contract/endpoints.ts'
import { headers as wire } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { damage, mutation, oddText } from './odd-values.ts'
import { mostly, oneOf, valuesFor, type Known, type Schema } from './samples.ts'

/** A request as it goes over the wire. */
export interface FuzzRequest {
  /** The route it was made for, or 'page'. */
  readonly route: RouteName | 'page'
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** Nothing about it was made wrong on purpose. */
  readonly isPlain: boolean
}

const names = Object.keys(routes) as RouteName[]
const specOf = (name: RouteName): RouteSpec => routes[name]
const schemaOf = (part: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(part, { io, unrepresentable: 'any' }) as Schema
/** What others need to find anything is made more often. */
const weightOf = (name: RouteName) => (['createEvent', 'applyAsBeacon', 'correctApplication'].includes(name) ? 6 : 2)

const oddSegments = [
  ...'%00 1%00 %E0%A4%A %ff%fe %ED%A0%80 %2e%2e%2f%2e%2e%2fetc%2fpasswd %2F .. . %201 %EF%BC%91'.split(' '),
  ...'0 -1 1.5 1e0 0x1 2147483648 9999999999 99999999999999999999 null __proto__ 1;a=b'.split(' '),
  '1%0d%0aX-Injected:1',
  'x'.repeat(3000),
  '',
  // What else a place may hold beside its name, here `@`.
  ...'%00@ @%00 @%20 @.0 @e0 0@ @%E0%A4%A @/ @%2F.. %EF%BB%BF@'.split(' '),
]
const pages = [
  '/ /events /events/{id} /events/{id}/apply /events/{id}.ics /events/manage/{id} /blog/{id} /assets/{id} /{id}',
  '/sitemap.xml /robots.txt /unsubscribe/{id} /mail-preview /demo-accounts.json /healthz /readyz',
  '/.vite/manifest.json /.well-known/{id} /api /api/{id} /api/stripe/webhook',
].flatMap((line) => line.split(' '))
const pageQueries = ['', '', '', '?a=%00', '?a=%ff&a=1', '?%', `?${'x='.repeat(500)}`, '?payment_intent=1']

const page = fc
  .record({
    path: fc.constantFrom(...pages),
    id: fc.constantFrom(...oddSegments, '1', '2', '3'),
    query: fc.constantFrom(...pageQueries),
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
  })
  .map(({ path, id, query, method }) => ({
    route: 'page' as const,
    method,
    path: path.replace('{id}', () => id) + query,
    headers: {},
    body: null,
  }))

/** Requests for every route of the table and the pages around it. */
export function hostileRequests(known: Known): fc.Arbitrary<FuzzRequest> {
  const { valueOf, key } = valuesFor(known)
  const places = (name: RouteName): [string, fc.Arbitrary<unknown>][] =>
    [...endpoint(name).path.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => {
      const isOfEvent = endpoint(name).path.includes('/events/{')
      return [place, oneOf(place === 'beaconId' ? known.applicationIds : known[isOfEvent ? 'eventIds' : 'otherIds'])]
    })
  const bodyOf = (name: RouteName): fc.Arbitrary<string | null> => {
    const { body } = specOf(name)
    return body ? valueOf(schemaOf(body, 'input')).map((value) => JSON.stringify(value)) : fc.constant(null)
  }
  const entryFor = (route: RouteName) =>
    fc
      .record({
        key: fc.uuid(),
        lane: fc.constantFrom('a', 'b', 'c'),
        params: fc.record(Object.fromEntries(places(route))),
        body: bodyOf(route),
        change: mostly(
          fc.constant((json: string) => json),
          7,
          mutation,
        ),
      })
      .map(({ body, change, ...entry }) => {
        const json = JSON.stringify({ route, ...entry })
        return body === null ? json : `${json.slice(0, -1)},"body":${change(body)}}`
      })
  const batch = fc
    .record({
      account: fc.option(fc.constantFrom(...known.accounts)),
      entries: fc.array(fc.oneof(...names.filter((name) => specOf(name).queueable).map(entryFor)), {
        minLength: 1,
        maxLength: 5,
      }),
    })
    .map(({ account, entries }) => `{"account":${account},"entries":[${entries.join(',')}]}`)

  function requestFor(route: RouteName): fc.Arbitrary<Omit<FuzzRequest, 'isPlain'>> {
    const { repeatable, query, header } = specOf(route)
    const { method, path } = endpoint(route)
    const sometimes = (name: string, value: fc.Arbitrary<unknown>) => ({ [name]: fc.option(value, { nil: undefined }) })
    return fc
      .record({
        params: fc.record(Object.fromEntries(places(route))),
        query: query ? valueOf(schemaOf(query, 'output')) : fc.constant({}),
        body: route === 'replayMutations' ? batch : bodyOf(route),
        headers: fc.record<Record<string, unknown>>({
          ...(repeatable === 'key' ? sometimes(wire.idempotencyKey, key) : {}),
          ...(header ? { [wire.applicationToken]: oneOf(known.tokens) } : {}),
          ...sometimes(wire.deviceId, fc.nat(40)),
          ...sometimes(wire.deviceName, fc.constantFrom('Olivia%E2%80%99s%20phone', '%F0%9F%91%A9'.repeat(12))),
          [wire.account]: mostly<unknown>(fc.constant(undefined), 9, fc.constantFrom(...known.accounts)),
        }),
      })
      .map(({ params, query: asked, body, headers }) => {
        const pairs = Object.entries(asked as object).filter(([, value]) => value !== undefined)
        const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
        const given = Object.entries(headers).filter(([, value]) => value !== undefined)
        const type = body === null ? {} : { 'content-type': 'application/json' }
        return {
          route,
          method,
          path:
            path.replace(/\{(\w+)\}/g, (_, place: string) => String(params[place])) +
            (search[0] ? '?' : '') +
            search.join('&'),
          headers: { ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])), ...type },
          body: body === null ? null : Buffer.from(body),
        }
      })
  }

  const meant = fc.oneof(
    { weight: 12, arbitrary: page },
    ...names.map((name) => ({ weight: weightOf(name), arbitrary: requestFor(name) })),
  )
  const faults = mostly<Spoiling[]>(fc.constant([]), 5, fc.array(spoiling, { minLength: 1, maxLength: 3 }))
  const from = fc.record(
    { 'x-forwarded-for': fc.oneof(fc.ipV4(), fc.ipV6()), 'sec-fetch-site': fc.constant('same-origin') },
    { requiredKeys: ['x-forwarded-for'] },
  )
  return fc.tuple(meant, from, faults).map(([request, address, spoils]) => {
    const sent = { ...request, headers: { ...address, ...request.headers }, isPlain: spoils.length === 0 }
    return spoils.reduce<FuzzRequest>((spoilt, spoil) => spoil(spoilt), sent)
  })
}

/** A place of the path that holds a number, or any where none does. */
function withOddPath(path: string, at: number, odd: string): string {
  const [plain = '', query] = path.split('?')
  const segments = plain.split('/')
  const numbers = segments.flatMap((segment, index) => (/^\d+$/.test(segment) ? [index] : []))
  const place = numbers.length > 0 ? numbers[at % numbers.length]! : 1 + (at % (segments.length - 1))
  const changed = segments
    .with(
      place,
      odd.replace('@', () => segments[place] ?? ''),
    )
    .join('/')
  return query === undefined ? changed : `${changed}?${query}`
}

const oddNames = 'state zipCode radius collection version limit epoch before a __proto__ constructor'.split(' ')
const oddValues = [
  ...'%00 %ff % %E0%A4%A %F0%9F%98%80 %ED%A0%80 1e400 -1 9223372036854775808 Ohio&state=Utah []'.split(' '),
  'x'.repeat(3000),
  '',
]
const methods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE', 'TRACE']

/** What a header may hold beside any odd text. */
const oddHeaders: Readonly<Record<string, readonly string[]>> = {
  [wire.deviceId]: [],
  [wire.deviceName]: ['%', '%E0%A4%A', '%00', `a${encodeURIComponent('😀'.repeat(60))}`, 'é\xff'],
  [wire.account]: ['0', '-1', '1e9', '999999999', '99999999999', 'me'],
  [wire.idempotencyKey]: ['', 'again', '00000000-0000-0000-0000-000000000000', '6F1C2C52-6D6B-4A51-8F0A-0F5C4F6F9A01'],
  [wire.applicationToken]: ['\xff\xfe', 'a'],
  [wire.appVersion]: ['0', '-1', '1e99', 'one'],
  cookie: [...'sid= sid =;=; sid=%00 __Host-sid=x sid="quoted"'.split(' '), 'sid=a; sid=b', 'a=b; '.repeat(300)],
  'content-type': ['', 'text/plain', 'application/json; charset=utf-16', 'application/jsonp', 'APPLICATION/JSON ; x'],
  'content-encoding': ['gzip'],
  'accept-encoding': ['', '*', 'br;q=0', 'gzip;q=nan, identity;q=0'],
  'if-none-match': ['*', '"a"', 'W/"a", "b"'],
  range: ['bytes=0-1'],
  origin: ['null', '', 'https://evil.example'],
  'sec-fetch-site': ['none', 'cross-site', ''],
  'x-forwarded-for': ['', 'unknown', '::1, ::1', 'x'.repeat(500), '1.2.3.4:99'],
  'x-forwarded-proto': [],
  host: ['evil.example', '', 'a:b:c', '[::1', 'localhost:99999'],
  authorization: [],
  'x-http-method-override': ['DELETE'],
}
const headerText = oddText.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)).map((text) => text.slice(0, 2000))
const oddHeader = fc
  .constantFrom(...Object.entries(oddHeaders))
  .chain(([name, texts]) =>
    fc.record({ [name]: texts.length > 0 ? mostly(fc.constantFrom(...texts), 7, headerText) : headerText }),
  )

/** Makes one thing about a request wrong. */
type Spoiling = (request: FuzzRequest) => FuzzRequest
const spoiling: fc.Arbitrary<Spoiling> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(), fc.constantFrom(...oddSegments)).map(([at, odd]) => (request: FuzzRequest) => ({
      ...request,
      path: withOddPath(request.path, at, odd),
    })),
  },
  fc
    .tuple(fc.constantFrom(...oddNames), fc.constantFrom(...oddValues))
    .map(([name, value]) => (request: FuzzRequest) => {
      const mark = request.path.includes('?') ? '&' : '?'
      return { ...request, path: `${request.path}${mark}${name}=${value}` }
    }),
  fc.constantFrom(...methods).map((method) => (request: FuzzRequest) => ({ ...request, method })),
  {
    weight: 2,
    arbitrary: oddHeader.map((odd) => (request: FuzzRequest) => ({
      ...request,
      headers: { ...request.headers, ...odd },
    })),
  },
  damage.map(
    (change) => (request: FuzzRequest) => (request.body ? { ...request, body: change(request.body) } : request),
  ),
  {
    weight: 4,
    arbitrary: mutation.map(
      (change) => (request: FuzzRequest) =>
        request.body ? { ...request, body: Buffer.from(change(request.body.toString())) } : request,
    ),
  },
)
