import * as z from 'zod'
import { endpoint } from '#shared/contract/endpoints.ts'
import { headers as wire } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { mutated, oddTexts, oddTree, treeOf, written, type Tree } from './json-tree.ts'
import type { Random } from '../random.ts'
import { sample, type Known, type Schema } from './samples.ts'

/** A request as it goes over the wire. */
export interface FuzzRequest {
  /** The route it was made for, or 'page'. */
  readonly route: RouteName | 'page'
  readonly caller: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** Nothing about it was made wrong on purpose. */
  readonly isPlain: boolean
}

const names = Object.keys(routes) as RouteName[]
const specOf = (name: RouteName): RouteSpec => routes[name]
const queueable = names.filter((name) => specOf(name).queueable)
/** What others need to find anything is made more often. */
const drawn: readonly (RouteName | 'page')[] = [
  ...names,
  ...names,
  ...Array.from({ length: 4 }, () => ['createEvent', 'applyAsBeacon', 'correctApplication'] as const).flat(),
  ...Array.from({ length: 12 }, () => 'page' as const),
  'replayMutations',
]
const bodies = new Map<RouteName, Schema>(
  names.flatMap((name) => {
    const { body } = specOf(name)
    return body ? [[name, z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema]] : []
  }),
)
const queries = new Map<RouteName, Schema>(
  names.flatMap((name) => {
    const { query } = specOf(name)
    return query ? [[name, z.toJSONSchema(query, { io: 'output', unrepresentable: 'any' }) as Schema]] : []
  }),
)

const oddSegments = [
  ...'%00 1%00 %E0%A4%A %ff%fe %ED%A0%80 %2e%2e%2f%2e%2e%2fetc%2fpasswd %2F .. . %201 %EF%BC%91'.split(' '),
  ...'0 -1 1.5 1e0 0x1 2147483648 9999999999 99999999999999999999 null __proto__ 1;a=b'.split(' '),
  '1%0d%0aX-Injected:1',
  'x'.repeat(3000),
  '',
]

/** What else a place may hold beside its name, here `@`. */
const spoiltSegments = ['%00@', '@%00', '@%20', '@.0', '@e0', '0@', '@%E0%A4%A', '@/', '@%2F..', '%EF%BB%BF@']

const pages = [
  '/ /events /events/{id} /events/{id}/apply /events/{id}.ics /events/manage/{id} /blog/{id} /assets/{id} /{id}',
  '/sitemap.xml /robots.txt /unsubscribe/{id} /mail-preview /demo-accounts.json /healthz /readyz',
  '/.vite/manifest.json /.well-known/{id} /api /api/{id} /api/stripe/webhook',
].flatMap((line) => line.split(' '))

/** Makes requests for every route of the table and the pages around it. */
export function makeRequest(random: Random, known: Known, caller: string, cookie: string | null): FuzzRequest {
  const route = random.pick(drawn)
  const isPlain = random.chance(0.45)
  const headers: Record<string, string> = {
    'x-forwarded-for': someAddress(random),
    ...(cookie === null ? {} : { cookie: `sid=${cookie}` }),
  }
  if (random.chance(0.5)) headers['sec-fetch-site'] = 'same-origin'
  const base = { caller, headers, isPlain }
  const request = route === 'page' ? pageRequest(base, random) : routeRequest(route, base, random, known)
  return isPlain ? request : spoilt(request, random, known)
}

type Base = Pick<FuzzRequest, 'caller' | 'isPlain' | 'headers'>

function pageRequest(base: Base, random: Random): FuzzRequest {
  const path = random.pick(pages).replace('{id}', () => random.pick([...oddSegments, '1', '2', '3']))
  const query = random.chance(0.2)
    ? `?${random.pick(['a=%00', 'a=%ff&a=1', '%', 'x='.repeat(500), 'payment_intent=1'])}`
    : ''
  return {
    ...base,
    route: 'page',
    method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
    path: path + query,
    body: null,
  }
}

function routeRequest(route: RouteName, base: Base, random: Random, known: Known): FuzzRequest {
  const spec = specOf(route)
  const { method, path } = endpoint(route)
  const headers = { ...base.headers }
  if (spec.repeatable === 'key' && random.chance(0.5)) {
    const key = known.keys.length > 0 && random.chance(0.1) ? random.pick(known.keys) : random.uuid()
    known.keys.push(key)
    headers[wire.idempotencyKey] = key
  }
  if (random.chance(0.5)) headers[wire.deviceId] = `device-${random.below(40)}`
  if (random.chance(0.3))
    headers[wire.deviceName] = encodeURIComponent(random.pick(['Olivia’s phone', '👩‍👩‍👧‍👦'.repeat(12)]))
  if (random.chance(0.1)) headers[wire.account] = String(random.pick(known.accounts))
  if (spec.header === 'applicationToken' && known.tokens.length > 0)
    headers[wire.applicationToken] = random.pick(known.tokens)
  const schema = bodies.get(route)
  const tree = route === 'replayMutations' ? batch(random, known) : schema && sample(schema, random, known)
  if (tree) headers['content-type'] = 'application/json'
  return {
    ...base,
    route,
    headers,
    method,
    path:
      path.replace(/\{(\w+)\}/g, (_, place: string) => String(idFor(route, place, random, known))) +
      queryFor(route, random, known),
    body: tree ? Buffer.from(written(tree)) : null,
  }
}

function idFor(route: RouteName, place: string, random: Random, known: Known): number {
  const ids =
    place === 'beaconId'
      ? known.applicationIds
      : endpoint(route).path.includes('/events/{')
        ? known.eventIds
        : known.otherIds
  // What was named last is likeliest still to be there.
  return random.pick(random.chance(0.8) ? ids.slice(-6) : ids)
}

function queryFor(route: RouteName, random: Random, known: Known): string {
  const { properties = {}, required = [] } = queries.get(route) ?? {}
  const pairs = Object.entries(properties)
    .filter(([name]) => required.includes(name) || random.chance(0.5))
    .flatMap(([name, schema]) => {
      const tree = sample(schema, random, known, name)
      if (!tree) return []
      return `${name}=${encodeURIComponent(String(JSON.parse(written(tree))).toWellFormed())}`
    })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function batch(random: Random, known: Known): Tree {
  const entries = Array.from({ length: 1 + random.below(5) }, (): Tree => {
    const route = random.pick(queueable)
    const places = [...endpoint(route).path.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => place)
    const schema = bodies.get(route)
    let body = schema && sample(schema, random, known)
    if (body && random.chance(0.3)) body = mutated(body, random)
    return {
      fields: [
        ['key', treeOf(random.uuid())],
        ['route', treeOf(route)],
        ['lane', treeOf(`lane ${random.below(3)}`)],
        [
          'params',
          random.chance(0.1)
            ? oddTree(random)
            : treeOf(Object.fromEntries(places.map((place) => [place, idFor(route, place, random, known)]))),
        ],
        ...(body ? [['body', body] as const] : []),
      ],
    }
  })
  const account = random.chance(0.4) ? null : random.pick(known.accounts)
  return {
    fields: [
      ['account', treeOf(account)],
      ['entries', { list: entries }],
    ],
  }
}

/** The request with one to three things about it made wrong. */
function spoilt(request: FuzzRequest, random: Random, known: Known): FuzzRequest {
  let spoiling = request
  for (let times = 1 + random.below(3); times > 0; times -= 1) spoiling = spoil(spoiling, random, known)
  return spoiling
}

function spoil(request: FuzzRequest, random: Random, known: Known): FuzzRequest {
  const schema = request.route === 'page' ? undefined : bodies.get(request.route)
  const kind = random.below(schema ? 10 : 5)
  if (kind === 0) return { ...request, path: oddPath(request.path, random) }
  if (kind === 1) return { ...request, path: oddQuery(request.path, random) }
  if (kind === 2)
    return { ...request, method: random.pick(['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE', 'TRACE']) }
  if (kind < 5) return { ...request, headers: { ...request.headers, ...oddHeader(random, known) } }
  if (kind === 5) return { ...request, body: oddBytes(request.body ?? Buffer.from('{}'), random) }
  const tree = request.route === 'replayMutations' ? batch(random, known) : sample(schema ?? {}, random, known)
  const body = written(mutated(tree ?? treeOf({}), random))
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' }, body: Buffer.from(body) }
}

function oddPath(path: string, random: Random): string {
  const [plain = '', query] = path.split('?')
  const segments = plain.split('/')
  const at = Math.max(1, random.below(segments.length))
  const odd = random.chance(0.5)
    ? random.pick(oddSegments)
    : random.pick(spoiltSegments).replace('@', () => segments[at] ?? '')
  const changed = segments.with(at, odd).join('/')
  return query === undefined ? changed : `${changed}?${query}`
}

const oddNames = 'state zipCode radius collection version limit epoch before a __proto__ constructor'.split(' ')
const oddValues = [
  ...'%00 %ff % %E0%A4%A %F0%9F%98%80 %ED%A0%80 1e400 -1 9223372036854775808 Ohio&state=Utah []'.split(' '),
  'x'.repeat(3000),
  '',
]

function oddQuery(path: string, random: Random): string {
  return `${path}${path.includes('?') ? '&' : '?'}${random.pick(oddNames)}=${random.pick(oddValues)}`
}

const textsForHeaders = oddTexts.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text))
const oddDeviceNames = ['%', '%E0%A4%A', '%00', `a${encodeURIComponent('😀'.repeat(60))}`, 'é\xff']
const oddKeys = ['', 'again', '00000000-0000-0000-0000-000000000000']
const oddCookies = [
  ...'sid= sid =;=; sid=%00 __Host-sid=x sid="quoted"'.split(' '),
  'sid=a; sid=b',
  'a=b; '.repeat(300),
]
const oddTypes = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'APPLICATION/JSON ; x',
]

function oddHeader(random: Random, known: Known): Record<string, string> {
  const odd = () => random.pick(textsForHeaders).slice(0, 2000)
  const one = (...texts: string[]) => random.pick([...texts, odd()])
  return random.pick<() => Record<string, string>>([
    () => ({ [wire.deviceId]: odd() }),
    () => ({ [wire.deviceName]: one(...oddDeviceNames) }),
    () => ({ [wire.account]: one('0', '-1', '1e9', '999999999', '99999999999', 'me') }),
    () => ({ [wire.idempotencyKey]: one(...oddKeys, random.uuid().toUpperCase()) }),
    () => ({ [wire.applicationToken]: one('\xff\xfe', known.tokens[0] ?? 'a') }),
    () => ({ cookie: random.pick([...oddCookies, `sid=${odd()}`]) }),
    () => ({ 'content-type': random.pick(oddTypes) }),
    () => ({ 'accept-encoding': one('', '*', 'br;q=0', 'gzip;q=nan, identity;q=0') }),
    () => ({ 'if-none-match': one('*', '"a"', 'W/"a", "b"'), range: 'bytes=0-1', accept: odd() }),
    () => ({
      origin: one('null', '', 'https://evil.example'),
      'sec-fetch-site': random.pick(['none', 'cross-site', '']),
    }),
    () => ({
      'x-forwarded-for': one('', 'unknown', '::1, ::1', 'x'.repeat(500), '1.2.3.4:99'),
      'x-forwarded-proto': odd(),
    }),
    () => ({ host: one('evil.example', '', 'a:b:c', '[::1', 'localhost:99999') }),
    () => ({ [wire.appVersion]: random.pick(['0', '-1', '1e99', 'one']), 'content-encoding': 'gzip' }),
    () => ({
      'accept-language': odd(),
      authorization: `Bearer ${odd()}`,
      'x-http-method-override': 'DELETE',
      prefer: odd(),
    }),
  ])()
}

function oddBytes(body: Buffer, random: Random): Buffer {
  const at = random.below(body.length + 1)
  return random.pick([
    () => body.subarray(0, at),
    () => Buffer.concat([body.subarray(0, at), Buffer.from([0xff, 0xfe, 0xc0]), body.subarray(at)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    () => Buffer.concat([body, body]),
    () => Buffer.from('['.repeat(random.pick([50, 4000, 60_000]))),
    () => Buffer.from(`{"a":"${'x'.repeat(random.pick([10, 60_000, 70_000]))}"}`),
  ])()
}

/** Allowances are counted by address: a crowd of them, as behind a proxy that names each. */
function someAddress(random: Random): string {
  if (random.chance(0.5)) return `198.${random.below(256)}.${random.below(256)}.${random.below(256)}`
  return `2001:db8:${random.below(65_536).toString(16)}:${random.below(65_536).toString(16)}::1`
}
