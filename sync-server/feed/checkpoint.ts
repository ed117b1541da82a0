export interface Checkpoint {
  readonly epoch: string
  readonly version: number
  /** No two histories share one at a version. It is null before a scope's first change. */
  readonly historyId: string | null
  /** This was the scope's version when a first copy in pages was begun. */
  readonly begunAt?: number | undefined
}

export function writeCheckpoint({ epoch, version, historyId, begunAt }: Checkpoint): string {
  return [epoch, version, historyId ?? '', ...(begunAt === undefined ? [] : [begunAt])].join('.')
}

/**
 * Makes the checkpoint of an acknowledgement; undefined means that the history says nothing of the version any more.
 */
export function checkpointOf(head: Checkpoint | undefined): string | undefined {
  return head?.historyId ? writeCheckpoint(head) : undefined
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
