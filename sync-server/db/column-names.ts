import type { Knex } from 'knex'
import { type Field, fieldsOf, type ReadBy, type RecordFields, type Values } from '#shared/record/record.ts'

const columns = new Map<string, string>()
const names = new Map<string, string>()

/** `userId` is `user_id`. Anything but camelCase stays: `*`, snake case, names in quotes. */
export function columnOf(name: string): string {
  let column = columns.get(name)
  if (column === undefined) {
    const isOurs = /^[a-z][a-zA-Z0-9]*$/.test(name)
    column = isOurs ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name
    columns.set(name, column)
  }
  return column
}

/** Turns only a letter after the underscore, so that `line_2` and `line2` stay two columns. */
export function nameOf(column: string): string {
  let name = names.get(column)
  if (name === undefined) {
    name = column.replaceAll(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    names.set(column, name)
  }
  return name
}

type Row = Record<string, unknown>

/** Leaves the inside of `jsonb` values as it is. */
export function toCamelCase(rows: readonly object[]): readonly object[] {
  const [first] = rows
  if (first === undefined) return rows
  const from = Object.keys(first)
  const to = from.map(nameOf)
  if (to.every((name, at) => name === from[at])) return rows
  const empty: Row = Object.fromEntries(to.map((name) => [name, null]))
  return (rows as readonly Row[]).map((row) => {
    const ours = { ...empty }
    for (let at = 0; at < from.length; at++) ours[to[at] as string] = row[from[at] as string]
    return ours
  })
}

/** Exports hold a row in this form. */
export function toColumnNames(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value]))
}

/** A row has these columns. */
export type ColumnsOf<R extends RecordFields> = Values<R>

/** An insert or update takes lists as JSON text. */
export type WrittenColumns<R extends RecordFields> = {
  [K in keyof R]: R[K]['kind'] extends 'texts' | 'answers' ? string : ColumnsOf<R>[K]
}

export function columnsOf<R extends RecordFields>(
  record: R,
  values: { readonly [K in keyof R]?: Values<R>[K] | undefined },
): Partial<WrittenColumns<R>> {
  const given = fieldsOf(record).filter(([name]) => values[name] !== undefined)
  const columns = given.map(([name, field]) => [name, written(field, values[name])])
  return Object.fromEntries(columns) as Partial<WrittenColumns<R>>
}

function written({ kind }: Field, value: unknown): unknown {
  return kind === 'texts' || kind === 'answers' ? JSON.stringify(value) : value
}

/** Returns what keeps the fields of a row that an audience reads. */
export function presenterOf<R extends RecordFields, A extends Field['audience']>(record: R, audience: A) {
  const names = fieldsOf(record).flatMap(([name, field]) => (field.audience === audience ? [name] : []))
  return (row: ColumnsOf<R>): Pick<Values<R>, ReadBy<R, A>> => {
    const kept: Partial<Record<keyof R, unknown>> = {}
    for (const name of names) kept[name] = shown(row[name])
    return kept as Pick<Values<R>, ReadBy<R, A>>
  }
}

const shown = (value: unknown) => (value instanceof Date ? value.toISOString() : value)

/** Returns a row as an answer holds it, with instants as text. */
export function withTextDates<R extends object>(row: R): WithTextDates<R> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(value)])) as WithTextDates<R>
}

type WithTextDates<R> = { [K in keyof R]: R[K] extends Date | null ? string | Extract<R[K], null> : R[K] }

type ColumnType = 'int' | 'bigint' | 'text' | 'boolean' | 'timestamptz' | 'jsonb'

export interface Relation {
  readonly sql: string
  readonly bindings: readonly Knex.Value[]
  /** This is part of the name of a prepared statement, because the text depends on it. */
  readonly shape: string
}

/** Parts of a statement's `with` that write; the select must read the part `written`. */
export interface Writing extends Relation {
  readonly written: string
  /** So many rows are in `written`, unless what the writer has read is different by now. */
  readonly count: number
}

/** A decision of one application has up to so many documents and jobs. */
const maxValues = 3

/**
 * Writes a list of objects as one array for each column, or a few as their values. The text has these shapes only, so
 * that PostgreSQL can keep its plans. It keeps none for an array, which it takes for ten rows: planning a lone decision
 * took half of its time.
 * @param types the PostgreSQL types; a `jsonb` value is JSON as text
 * @example relation('g', [{ id: 7, status: 'approved' }, …], { id: 'int', status: 'text' })
 * // { sql: 'unnest(?::int[], ?::text[]) as g (id, status)', bindings: [[7, …], ['approved', …]], shape: 'n' }
 */
export function relation<R extends object>(
  alias: string,
  rows: readonly R[],
  types: { readonly [K in keyof R]-?: ColumnType },
): Relation {
  const columns = Object.entries(types) as [keyof R & string, ColumnType][]
  const named = `${alias} (${columns.map(([name]) => columnOf(name)).join(', ')})`
  if (rows.length > 0 && rows.length <= maxValues) {
    const values = `(${columns.map(([, type]) => `?::${type}`).join(', ')})`
    const bindings = rows.flatMap((row) => columns.map(([name]) => row[name] ?? null)) as Knex.Value[]
    return { sql: `(values ${rows.map(() => values).join(', ')}) as ${named}`, bindings, shape: String(rows.length) }
  }
  const lists = columns.map(([, type]) => `?::${type}[]`).join(', ')
  const bindings = columns.map(([name]) => rows.map((row) => row[name] ?? null)) as unknown as Knex.Value[]
  return { sql: `unnest(${lists}) as ${named}`, bindings, shape: 'n' }
}
