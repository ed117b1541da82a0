import * as z from 'zod'
import { calendarDate, clockTime, instant, zipCode } from './values.ts'
import { namesOf, type Field, type ReadBy, type RecordFields, type TypedValues, type Values } from './record.ts'
import { optionalText, optionalWebAddress, requiredText } from './text.ts'

type Shape<R extends RecordFields, K extends keyof R> = {
  [N in K]: z.ZodType<Values<R>[N], N extends keyof TypedValues<R> ? TypedValues<R>[N] : never>
}
type Schema<R extends RecordFields, K extends keyof R = keyof R> = z.ZodObject<Shape<R, K>, z.core.$strict>

/** Longest single text of a list of texts. */
const longestListed = 500

/** What a form or a request may hold, with the words for what it may not; reads it into what is stored. */
export function inputOf<R extends RecordFields>(record: R): Schema<R> {
  return objectOf(record, namesOf(record), inputOfField)
}

/** What a document for an audience holds. */
export function documentOf<R extends RecordFields, A extends Field['audience']>(
  record: R,
  audience: A,
): Schema<R, ReadBy<R, A>> {
  const names = namesOf(record).filter((name) => record[name]?.audience === audience)
  return objectOf(record, names, storedOfField) as unknown as Schema<R, ReadBy<R, A>>
}

function objectOf<R extends RecordFields>(
  record: R,
  names: readonly (keyof R & string)[],
  schemaOf: (field: Field) => z.ZodType,
): Schema<R> {
  return z.strictObject(
    Object.fromEntries(names.map((name) => [name, schemaOf(record[name]!)])),
  ) as unknown as Schema<R>
}

function inputOfField({ kind, required, max = 0, message = '', of = [], default: preset = false }: Field): z.ZodType {
  if (kind === 'date') return calendarDate(message)
  if (kind === 'time') return clockTime
  if (kind === 'zip') return zipCode
  if (kind === 'instant') return instant
  if (kind === 'url') return optionalWebAddress(message)
  if (kind === 'flag') return z.boolean().default(preset)
  if (kind === 'texts') return z.array(z.string().trim().min(1).max(longestListed)).max(max, message)
  if (kind === 'choice') return orNull(z.string()).pipe(z.enum(of as [string], message).nullable())
  if (kind === 'count')
    return z
      .int('Please enter a whole number')
      .min(1)
      .max(max)
      .nullish()
      .transform((value) => value ?? null)
  return required ? requiredText(max) : optionalText(max)
}

const orNull = (text: z.ZodString) => text.nullish().transform((value) => value || null)

function storedOfField({ kind, required }: Field): z.ZodType {
  if (kind === 'flag') return z.boolean()
  if (kind === 'texts') return z.array(z.string())
  const value = kind === 'count' ? z.int() : z.string()
  return required ? value : value.nullable()
}
