import { createECDH } from 'node:crypto'
import * as fc from 'fast-check'
import type * as z from 'zod'
import { usStates } from '#shared/places/us-states.ts'
import { oddTexts } from './odd-values.ts'

/** What earlier answers have named, so that later calls find something. */
export interface Known {
  readonly eventIds: number[]
  readonly applicationIds: number[]
  readonly otherIds: number[]
  readonly tokens: string[]
  readonly keys: string[]
  readonly emails: string[]
  readonly accounts: number[]
}

export const fuzzPassword = 'a long password'

export type Schema = z.core.JSONSchema.BaseSchema

/** The first in so many of ten cases. */
export const mostly = <T>(often: fc.Arbitrary<T>, inTen: number, seldom: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: inTen, arbitrary: often }, { weight: 10 - inTen, arbitrary: seldom })

/** Of what is known when it is drawn; what was named last is likeliest still to be there. Undefined when nothing is. */
export const oneOf = <T>(list: readonly T[]): fc.Arbitrary<T | undefined> =>
  mostly(fc.constant(6), 8, fc.constant(list.length)).chain((last) =>
    fc.nat().map((at) => list.slice(-last)[at % Math.min(last, list.length)]),
  )

const pushKey = createECDH('prime256v1').generateKeys('base64url')
const visibleTexts = oddTexts.filter((text) => /[\p{L}\p{N}\p{S}]/u.test(text))
const plainText = fc.constant('An evening by the water, ünd möre. ')
const someText = fc.oneof(
  { weight: 6, arbitrary: plainText },
  { weight: 3, arbitrary: fc.constantFrom(...visibleTexts) },
  // What no database holds.
  { weight: 1, arbitrary: fc.constantFrom('Bea\u0000Moss', 'half \ud800') },
)

/** Values for schemas, which they mostly take; texts are often such as have broken something somewhere. */
export function valuesFor(known: Known) {
  const key = mostly(fc.uuid(), 8, oneOf(known.keys))
  /** Values that a field of this name takes, whatever its schema says of them; undefined leaves it out. */
  const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    email: mostly(
      fc.constantFrom(...known.emails),
      5,
      fc.uuid().map((name) => `${name}@example.com`),
    ),
    password: mostly(fc.constant(fuzzPassword), 7, fc.constant('another password')),
    username: fc.uuid().map((name) => `u-${name.slice(0, 12)}`),
    startDate: fc.integer({ min: 2070, max: 2089 }).map((year) => `${year}-05-17`),
    endDate: fc.constant('2099-12-31'),
    startTime: fc.constantFrom('09:00', '18:30', '23:59'),
    endTime: fc.constantFrom('10:00', '21:00'),
    state: fc.constantFrom(...usStates),
    zipCode: fc.constantFrom('60611', '99501', '00000', '10001'),
    registrationUrl: fc.constantFrom('https://example.com/register', 'http://example.org/ä?q=1#x'),
    linkedinUrl: fc.constant('https://www.linkedin.com/in/bea'),
    applicationsCloseAt: fc.constantFrom('2098-01-01T10:00', '2026-01-01T10:00:00+05:30'),
    seenAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date() }).map((at) => at.toISOString()),
    day: fc.constantFrom('2099-12-31', '2098-05-17', '2026-02-30'),
    maxBeacons: fc.integer({ min: 1, max: 50 }),
    endpoint: fc.nat(30).map((number) => `https://push.test/fuzz/${number}`),
    p256dh: fc.constant(pushKey),
    auth: fc.constant('A'.repeat(22)),
    expirationTime: fc.constant(null),
    timeZone: fc.constantFrom('America/Chicago', 'UTC', 'Asia/Kathmandu'),
    from: fc.constant('22:00'),
    to: fc.constant('07:00'),
    token: mostly<string | undefined>(oneOf(known.tokens), 9, fc.constant('a'.repeat(43))),
    code: fc.constantFrom('FRIENDS', 'friends ', 'NOBODY-KNOWS'),
    promoCode: fc.constantFrom('FRIENDS', 'PIER'),
    planId: fc.integer({ min: 1, max: 3 }),
    key,
    id: fc.option(fc.integer({ min: 100_000_000_000, max: 100_001_000_000 }), { nil: undefined }),
    eventId: oneOf(known.eventIds),
    website: fc.constant(undefined),
    epoch: fc.constant(undefined),
    filledInMs: fc.constant(60_000),
    account: fc.option(fc.constantFrom(...known.accounts)),
  }

  function valueOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
    const named = Object.hasOwn(byName, name) ? byName[name] : undefined
    return named ? mostly(named, 9, bySchema(schema)) : bySchema(schema)
  }

  function bySchema(schema: Schema): fc.Arbitrary<unknown> {
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueOf(one as Schema)))
    const { minimum = 0, minLength = 0, maxLength = 400 } = schema
    switch (schema.type) {
      case 'object': {
        const fields = Object.entries(schema.properties ?? {})
        const values = Object.fromEntries(fields.map(([field, inner]) => [field, valueOf(inner as Schema, field)]))
        return fc.record(values, { requiredKeys: schema.required ?? [] })
      }
      case 'array':
        return fc.array(valueOf((schema.items ?? {}) as Schema), { maxLength: Math.min(schema.maxItems ?? 3, 3) })
      case 'integer':
      case 'number':
        return fc.integer({ min: minimum, max: Math.min(schema.maximum ?? minimum + 40, minimum + 40) })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return mostly(
          someText,
          9,
          someText.map((text) => text.repeat(50)),
        ).map((text) => text.slice(0, maxLength).padEnd(minLength, 'x'))
    }
  }
  return { valueOf, key }
}
