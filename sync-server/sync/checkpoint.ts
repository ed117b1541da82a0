/** A moment of a scope's change feed. */
export interface Checkpoint {
  readonly epoch: string
  readonly version: number
  /** Of `sync_history`: no two histories have the same one at a version. Null before a scope's first change. */
  readonly mark: string | null
  /** While a first copy comes in pages: the scope's version when it was begun. */
  readonly begunAt?: number | undefined
}

/** A checkpoint as devices keep it: a text that they compare and send back, and never read. */
export function writeCheckpoint({ epoch, version, mark, begunAt }: Checkpoint): string {
  return [epoch, version, mark ?? '', ...(begunAt === undefined ? [] : [begunAt])].join('.')
}

const written = /^([\w-]{36})\.(\d{1,15})\.([\w-]*)(?:\.(\d{1,15}))?$/

/** @returns undefined for a text that this server did not write */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [, epoch = '', version, mark, begunAt] = written.exec(text) ?? []
  if (version === undefined) return undefined
  return {
    epoch,
    version: Number(version),
    mark: mark || null,
    begunAt: begunAt === undefined ? undefined : Number(begunAt),
  }
}
