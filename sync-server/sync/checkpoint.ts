export interface Checkpoint {
  readonly epoch: string
  readonly version: number
  /** No two histories share one at a version. Null before a scope's first change. */
  readonly historyId: string | null
  /** The scope's version when a first copy in pages was begun. */
  readonly begunAt?: number | undefined
}

export function writeCheckpoint({ epoch, version, historyId, begunAt }: Checkpoint): string {
  return [epoch, version, historyId ?? '', ...(begunAt === undefined ? [] : [begunAt])].join('.')
}

const written = /^([\w-]{36})\.(\d{1,15})\.([\w-]*)(?:\.(\d{1,15}))?$/

/** @returns undefined for a text that this server did not write */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [, epoch = '', version, historyId, begunAt] = written.exec(text) ?? []
  if (version === undefined) return undefined
  return {
    epoch,
    version: Number(version),
    historyId: historyId || null,
    begunAt: begunAt === undefined ? undefined : Number(begunAt),
  }
}
