import { createECDH } from 'node:crypto'
import { usStates } from '#shared/places/us-states.ts'
import { oddTexts, treeOf, type Tree } from './json-tree.ts'
import type { Random } from '../random.ts'

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
const pushEndpoint = 'https://push.test/fuzz/'

/** The part of JSON Schema that zod writes for our bodies. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

const ecdh = createECDH('prime256v1')
const pushKey = ecdh.generateKeys('base64url')
const day = (random: Random) => `20${70 + random.below(20)}-0${1 + random.below(9)}-1${random.below(10)}`

/** Values that a field of this name takes, whatever its schema says of them. */
const byName: Readonly<Record<string, (random: Random, known: Known) => unknown>> = {
  email: (random, known) => (random.chance(0.5) ? random.pick(known.emails) : `${random.uuid()}@example.com`),
  password: (random) => (random.chance(0.7) ? fuzzPassword : 'another password'),
  username: (random) => `u-${random.uuid().slice(0, 12)}`,
  startDate: day,
  endDate: () => '2099-12-31',
  startTime: (random) => random.pick(['09:00', '18:30', '23:59']),
  endTime: (random) => random.pick(['10:00', '21:00']),
  state: (random) => random.pick(usStates),
  zipCode: (random) => random.pick(['60611', '99501', '00000', '10001']),
  registrationUrl: (random) => random.pick(['https://example.com/register', 'http://example.org/ä?q=1#x']),
  linkedinUrl: () => 'https://www.linkedin.com/in/bea',
  applicationsCloseAt: (random) => random.pick(['2098-01-01T10:00:00Z', '2026-01-01T10:00:00+05:30']),
  seenAt: () => new Date().toISOString(),
  maxBeacons: (random) => 1 + random.below(50),
  endpoint: (random) => pushEndpoint + String(random.below(30)),
  p256dh: () => pushKey,
  auth: () => 'A'.repeat(22),
  expirationTime: () => null,
  timeZone: (random) => random.pick(['America/Chicago', 'UTC', 'Asia/Kathmandu']),
  from: () => '22:00',
  to: () => '07:00',
  token: (random, known) =>
    known.tokens.length > 0 && random.chance(0.9) ? random.pick(known.tokens) : 'a'.repeat(43),
  code: (random) => random.pick(['FRIENDS', 'friends ', 'NOBODY-KNOWS']),
  promoCode: (random) => random.pick(['FRIENDS', 'PIER']),
  planId: (random) => 1 + random.below(3),
  key: (random, known) => (known.keys.length > 0 && random.chance(0.2) ? random.pick(known.keys) : random.uuid()),
  id: (random) => (random.chance(0.5) ? 100_000_000_000 + random.below(1_000_000) : undefined),
  eventId: (random, known) => random.pick(known.eventIds),
  website: () => undefined,
  epoch: () => undefined,
  filledInMs: () => 60_000,
  account: (random, known) => (random.chance(0.4) ? null : random.pick(known.accounts)),
}

/** A value for a schema, which it mostly takes; texts are often such as have broken something somewhere. */
export function sample(schema: Schema, random: Random, known: Known, name = ''): Tree | undefined {
  const named = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (named && random.chance(0.95)) {
    const value = named(random, known)
    return value === undefined ? undefined : treeOf(value)
  }
  if (schema.enum) return treeOf(random.pick(schema.enum))
  if (schema.const !== undefined) return treeOf(schema.const)
  if (schema.anyOf) return sample(random.pick(schema.anyOf), random, known)
  switch (schema.type) {
    case 'object': {
      const fields: [string, Tree][] = []
      for (const [field, inner] of Object.entries(schema.properties ?? {})) {
        if (!schema.required?.includes(field) && random.chance(0.4)) continue
        const value = sample(inner, random, known, field)
        if (value) fields.push([field, value])
      }
      return { fields }
    }
    case 'array': {
      const count = random.below(Math.min(schema.maxItems ?? 4, 4))
      const items = Array.from({ length: count }, () => sample(schema.items ?? {}, random, known))
      return { list: items.filter((item) => item !== undefined) }
    }
    case 'integer':
    case 'number':
      return treeOf(
        (schema.minimum ?? 0) + random.below(Math.min((schema.maximum ?? 40) - (schema.minimum ?? 0), 40) + 1),
      )
    case 'boolean':
      return treeOf(random.chance(0.5))
    case 'null':
      return treeOf(null)
    default:
      return treeOf(sampleText(schema, random))
  }
}

const visibleTexts = oddTexts.filter((text) => /[\p{L}\p{N}\p{S}]/u.test(text))

function sampleText({ minLength = 0, maxLength = 400 }: Schema, random: Random): string {
  const text = random.chance(0.3) ? random.pick(visibleTexts) : 'An evening by the water, ünd möre. '
  const length = random.chance(0.1) ? maxLength : Math.min(maxLength, 200)
  return (random.chance(0.05) ? text.repeat(50) : text).slice(0, length).padEnd(minLength, 'x')
}
