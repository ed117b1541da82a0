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

/** As exports hold a row. */
export function toColumnNames(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value]))
}

/** As its row has them: instants as dates. */
export type ColumnsOf<R extends RecordFields> = {
  [K in keyof R]: R[K]['kind'] extends 'instant' ? Date | null : Values<R>[K]
}

/** For an insert or update: lists as JSON text. */
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
  if (kind === 'texts' || kind === 'answers') return JSON.stringify(value)
  return kind === 'instant' && value !== null ? new Date(value as string) : value
}

/** The fields that an audience reads. */
export function presented<R extends RecordFields, A extends Field['audience']>(
  record: R,
  row: ColumnsOf<R>,
  audience: A,
): Pick<Values<R>, ReadBy<R, A>> {
  const read = fieldsOf(record).filter(([, field]) => field.audience === audience)
  const values = read.map(([name]) => [name, shown(row[name])])
  return Object.fromEntries(values) as Pick<Values<R>, ReadBy<R, A>>
}

const shown = (value: unknown) => (value instanceof Date ? value.toISOString() : value)

/** A row as an answer holds it: instants as text. */
export function withTextDates<R extends object>(row: R): WithTextDates<R> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(value)])) as WithTextDates<R>
}

type WithTextDates<R> = { [K in keyof R]: R[K] extends Date | null ? string | Extract<R[K], null> : R[K] }

type ColumnType = 'int' | 'bigint' | 'text' | 'boolean' | 'timestamptz' | 'jsonb'

export interface Relation {
  readonly sql: string
  readonly bindings: readonly Knex.Value[]
}

/**
 * A list of objects as one array for each column: the statement's text does not depend on the number of rows, so that
 * PostgreSQL plans it once.
 * @param types the PostgreSQL types; a `jsonb` value is JSON as text
 * @example relation('g', [{ id: 7, status: 'approved' }], { id: 'int', status: 'text' })
 * // { sql: 'unnest(?::int[], ?::text[]) as g (id, status)', bindings: [[7], ['approved']] }
 */
export function relation<R extends object>(
  alias: string,
  rows: readonly R[],
  types: { readonly [K in keyof R]-?: ColumnType },
): Relation {
  const columns = Object.entries(types) as [keyof R & string, ColumnType][]
  const lists = columns.map(([, type]) => `?::${type}[]`).join(', ')
  return {
    sql: `unnest(${lists}) as ${alias} (${columns.map(([name]) => columnOf(name)).join(', ')})`,
    bindings: columns.map(([name]) => rows.map((row) => row[name] ?? null)) as unknown as Knex.Value[],
  }
}
