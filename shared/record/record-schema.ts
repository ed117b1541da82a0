import * as z from 'zod'
import {
  calendarDate,
  clockTime,
  wallClock,
  zipCode,
  optionalText,
  optionalWebAddress,
  requiredText,
} from './values.ts'
import { emailAddress } from '../text/email-address.ts'
import {
  fieldsOf,
  type CustomAnswer,
  type Field,
  type ReadBy,
  type RecordFields,
  type TypedValues,
  type Values,
} from './record.ts'

type Shape<R extends RecordFields, K extends keyof R> = {
  [N in K]: z.ZodType<Values<R>[N], N extends keyof TypedValues<R> ? TypedValues<R>[N] : never>
}
type Schema<R extends RecordFields, K extends keyof R = keyof R> = z.ZodObject<Shape<R, K>, z.core.$strict>

/** Limits each text of a list of texts. */
const longestListed = 500

const customAnswer = z.strictObject({
  question: z.string().trim().min(1).max(longestListed),
  answer: z.string().trim().max(2000, 'Please keep this under 2000 characters'),
}) satisfies z.ZodType<CustomAnswer>

/** Of a form or request; parses into what is stored. */
export function inputOf<R extends RecordFields>(record: R): Schema<R> {
  return objectOf(fieldsOf(record).map(([name, field]) => [name, inputOfField(field)])) as Schema<R>
}

export function documentOf<R extends RecordFields, A extends Field['audience']>(
  record: R,
  audience: A,
): Schema<R, ReadBy<R, A>> {
  const read = fieldsOf(record).filter(([, field]) => field.audience === audience)
  return objectOf(read.map(([name, field]) => [name, storedOfField(field)])) as Schema<R, ReadBy<R, A>>
}

const objectOf = (entries: [string, z.ZodType][]): unknown => z.strictObject(Object.fromEntries(entries))

function inputOfField(field: Field): z.ZodType {
  const { kind, required, mayBeBlank, host, max = 0, message = '', of = [], complaint, default: preset = false } = field
  if (kind === 'email') return emailAddress
  if (kind === 'date') return calendarDate(message)
  if (kind === 'time') return clockTime
  if (kind === 'zip') return zipCode
  if (kind === 'wall-clock') return wallClock
  if (kind === 'url') return optionalWebAddress(message, host === undefined ? undefined : isOn(host))
  if (kind === 'flag') return z.boolean().default(preset)
  if (kind === 'texts') return z.array(requiredText(longestListed)).max(max, message)
  if (kind === 'answers') return z.array(customAnswer).max(max).default([])
  if (kind === 'choice') {
    if (mayBeBlank) return z.union([z.enum(of), z.literal('')]).default('')
    return orNull(z.string()).pipe(z.enum(of, message).nullable())
  }
  if (kind === 'count')
    return z
      .int('Please enter a whole number')
      .min(1)
      .max(max)
      .nullish()
      .transform((value) => value ?? null)
  if (mayBeBlank) return z.string().trim().max(max).default('')
  return required ? requiredText(max) : optionalText(max, complaint)
}

const orNull = (text: z.ZodString) => text.nullish().transform((value) => value || null)

const isOn = (host: string) => (hostname: string) => hostname === host || hostname.endsWith(`.${host}`)

function storedOfField({ kind, required, mayBeBlank }: Field): z.ZodType {
  if (kind === 'flag') return z.boolean()
  if (kind === 'texts') return z.array(z.string())
  if (kind === 'answers') return z.array(customAnswer)
  const value = kind === 'count' ? z.int() : z.string()
  return required || mayBeBlank ? value : value.nullable()
}
