/**
 * One description for form, request bodies, documents, columns and labels; `record-schema.ts` checks it,
 * `sync-server/db/column-names.ts` stores it. Without zod: the queue and the service worker read it.
 */
export interface Field {
  readonly kind:
    | 'text'
    | 'email'
    | 'date'
    | 'time'
    | 'zip'
    | 'url'
    | 'wall-clock'
    | 'choice'
    | 'count'
    | 'flag'
    | 'texts'
    | 'answers'
  /** Names the field on a form, on a conflict's card and in the clipboard. */
  readonly label: string
  /** The person it belongs to reads it, too. */
  readonly audience: 'anyone' | 'organizer'
  /** Never null: an empty form is not accepted. */
  readonly required?: true
  /** Never null, and may stay empty. */
  readonly mayBeBlank?: true
  /** Is asked where the label alone does not ask. */
  readonly question?: string
  /** Names the host of a web address, or a parent of it. */
  readonly host?: string
  /** Limits the characters of a text, or a count. */
  readonly max?: number
  readonly message?: string
  readonly of?: readonly string[]
  /** Complains about a text that is short enough; undefined means that nothing is wrong. */
  readonly complaint?: (text: string) => string | undefined
  readonly default?: boolean
}

export type RecordFields = Readonly<Record<string, Field>>

export interface CustomAnswer {
  question: string
  answer: string
}

type Value<F extends Field> = F['kind'] extends 'flag'
  ? boolean
  : F['kind'] extends 'texts'
    ? string[]
    : F['kind'] extends 'answers'
      ? CustomAnswer[]
      : | (F['kind'] extends 'count' ? number : F extends { readonly of: readonly (infer T)[] } ? T : string)
        | (F extends { readonly required: true } ? never : F extends { readonly mayBeBlank: true } ? '' : null)

/** As the server stores them and a request carries them. */
export type Values<R extends RecordFields> = { [K in keyof R]: Value<R[K]> }

type Typed<F extends Field> = F['kind'] extends 'flag'
  ? boolean | undefined
  : F['kind'] extends 'texts'
    ? string[]
    : F['kind'] extends 'answers'
      ? CustomAnswer[] | undefined
      : F extends { readonly required: true }
        ? string
        : F extends { readonly mayBeBlank: true }
          ? Value<F> | undefined
          : (F['kind'] extends 'count' ? number : string) | null | undefined

type MayBeLeftOut<R extends RecordFields> = {
  [K in keyof R]: undefined extends Typed<R[K]> ? K : never
}[keyof R]

/** These are values as they are handed in, with blank texts and omissions. */
export type TypedValues<R extends RecordFields> = { [K in Exclude<keyof R, MayBeLeftOut<R>>]: Typed<R[K]> } & {
  [K in MayBeLeftOut<R>]?: Typed<R[K]>
}

export type ReadBy<R extends RecordFields, A extends Field['audience']> = {
  [K in keyof R]: R[K]['audience'] extends A ? K : never
}[keyof R]

export type Asked<R extends RecordFields> = {
  [K in keyof R]: R[K] extends { readonly question: string } ? K : never
}[keyof R]

/** The names come in the order of their description. */
export function namesOf<R extends RecordFields>(record: R): (keyof R & string)[] {
  return Object.keys(record)
}

export function fieldsOf<R extends RecordFields>(record: R): [name: keyof R & string, field: Field][] {
  return Object.entries(record)
}

export function labelsOf<R extends RecordFields>(record: R): { readonly [K in keyof R]: string } {
  return Object.fromEntries(fieldsOf(record).map(([name, { label }]) => [name, label])) as { [K in keyof R]: string }
}

export function pick<R extends RecordFields>(record: R, from: Values<R>): Values<R> {
  return Object.fromEntries(namesOf(record).map((name) => [name, from[name] ?? null])) as Values<R>
}

/** Gives blank text where something is typed. */
export function emptyForm<R extends RecordFields>(record: R): Required<TypedValues<R>> {
  const empty = ({ kind, default: preset }: Field) => {
    if (kind === 'flag') return preset ?? false
    if (kind === 'texts' || kind === 'answers') return []
    return kind === 'count' || kind === 'wall-clock' ? null : ''
  }
  return Object.fromEntries(fieldsOf(record).map(([name, field]) => [name, empty(field)])) as Required<TypedValues<R>>
}

/** Tells whether the text is a day that exists, as YYYY-MM-DD. */
export function isCalendarDate(value: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** A wall clock is a day and a time of some clock, as YYYY-MM-DDTHH:MM. */
export function isWallClock(value: string): boolean {
  const [date = '', time = '', ...more] = value.split('T')
  return more.length === 0 && isCalendarDate(date) && clockTimePattern.test(time)
}

export const clockTimePattern = /^([01]\d|2[0-3]):[0-5]\d$/
export const zipCodePattern = /^\d{5}$/

const isText = (value: unknown): value is string => typeof value === 'string'
/** A list is no object here. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isInstant = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value))

const isOfKind: Readonly<Record<Field['kind'], (value: unknown, field: Field) => boolean>> = {
  text: isText,
  email: isText,
  url: isText,
  date: (value) => isText(value) && isCalendarDate(value),
  time: (value) => isText(value) && clockTimePattern.test(value),
  zip: (value) => isText(value) && zipCodePattern.test(value),
  'wall-clock': (value) => isText(value) && (isWallClock(value) || isInstant(value)),
  choice: (value, { of = [], mayBeBlank }) =>
    isText(value) && (of.includes(value) || (mayBeBlank === true && value === '')),
  count: (value) => Number.isSafeInteger(value),
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  answers: (value) =>
    Array.isArray(value) &&
    value.every((one: unknown) => isObject(one) && isText(one['question']) && isText(one['answer'])),
}

/** Checks kinds, so that every reader can read the values; lengths and combinations are the server's. */
export function holdsValues<R extends RecordFields>(record: R, values: unknown): values is Values<R> {
  return isObject(values) && fieldsOf(record).every(([name, field]) => holdsValue(field, values[name]))
}

function holdsValue(field: Field, value: unknown): boolean {
  const isNeverNull = field.required || field.mayBeBlank || ['flag', 'texts', 'answers'].includes(field.kind)
  // A later version's field is missing in what waits on a disk.
  if (value === null || value === undefined) return !isNeverNull
  return isOfKind[field.kind](value, field)
}
