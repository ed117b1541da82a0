import { fieldsOf, type Field, type ReadBy, type RecordFields, type Values } from '#shared/record/record.ts'

/** A record's fields as its row has them: instants as dates. */
export type ColumnsOf<R extends RecordFields> = {
  [K in keyof R]: R[K]['kind'] extends 'instant' ? Date | null : Values<R>[K]
}

/** What an insert or an update carries of a record: lists as JSON text. */
export type WrittenColumns<R extends RecordFields> = {
  [K in keyof R]: R[K]['kind'] extends 'texts' | 'answers' ? string : ColumnsOf<R>[K]
}

/** A record's fields as columns; what is undefined stays as it is. */
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

/** What an audience reads of a record, from its row. */
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
