import type { ApplicationRow, FoldedReplica } from '../replica/fold.ts'

/** All applications that a fold shows, by id and in its order. */
export function applicationRows({ applications }: FoldedReplica): Map<number, ApplicationRow> {
  const rows = [...applications.values()].flat().sort((one, other) => one.application.id - other.application.id)
  return new Map(rows.map((row) => [row.application.id, row]))
}
