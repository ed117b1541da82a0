import type { RxCollection } from 'rxdb'
import type { Checkpoint, Collection } from '#shared/api/replication.ts'
import { Broken, call, Refused } from '../api/call.ts'
import { pullPages, type Page, type PageAnswer, type PullEnd, type PullFailure } from './pull.ts'
import { parsePage, type Documents } from './replica-schema.ts'
import { readWrittenVersion, writePage } from './write-page.ts'

/** What one collection reports while it follows the server. */
export interface PullNews {
  /** A pull begins. */
  onAsk(collection: Collection): void
  /** Everything up to `head` is written into the collection. */
  onWritten(collection: Collection, head: number): void
  /** A pull that did not come to its end, and why. */
  onMissed(collection: Collection, failure: PullFailure): void
}

export interface CollectionSync {
  /** Pulls again; several at once become one. */
  resync(): void
  stop(): Promise<void>
}

/** An answer that was longer under way than a call may take was slept over: another tab may have written newer documents. */
const sleptOverMs = 20_000

/**
 * Keeps a collection equal to what the server says; only the tab that leads does. Never rejects: every outcome is reported.
 * Not RxDB's own replication: that one keeps two more databases per collection, looks each document up three times and
 * watches for changes to send, of which there are none.
 * @param epoch the server's lifetime the database was made for; another one is a reset
 */
export function followCollection<C extends Collection>(
  name: C,
  collection: RxCollection<Documents[C]>,
  epoch: string,
  news: PullNews,
): CollectionSync {
  const stopping = new AbortController()
  const { signal } = stopping
  /** Up to where pages were written; undefined before the first pull of this tab. */
  let written: number | undefined
  let isAsked = false
  let running: Promise<void> | undefined

  async function pullOnce(): Promise<void> {
    const kept = written ?? (await readWrittenVersion(collection))
    const isFirst = written === undefined
    written = kept
    if (signal.aborted) return
    news.onAsk(name)
    const end = await pullCollection(name, { epoch, version: kept }, signal, async ({ documents, checkpoint }) => {
      if (signal.aborted) return
      // A checkpoint that moved on without documents is worth a write only once per start.
      if (documents.length > 0 || (isFirst && checkpoint.version > kept))
        await writePage(collection, documents, checkpoint.version)
      written = checkpoint.version
    })
    if (signal.aborted) return
    if (end.kind === 'pulled') news.onWritten(name, end.head)
    else news.onMissed(name, end)
  }

  async function run(): Promise<void> {
    while (isAsked && !signal.aborted) {
      isAsked = false
      await pullOnce().catch(() => signal.aborted || news.onMissed(name, { kind: 'unreachable' }))
    }
    running = undefined
  }

  const resync = () => {
    isAsked = true
    running ??= run()
  }
  resync()
  return {
    resync,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** One pull of a collection, over all its pages. Exported for its test. @throws what `onPage` throws */
export async function pullCollection<C extends Collection>(
  name: C,
  checkpoint: Checkpoint,
  signal: AbortSignal,
  onPage: (page: Page<Documents[C]>) => Promise<void>,
): Promise<PullEnd> {
  return await pullPages<Documents[C]>(
    {
      checkpoint,
      fetchPage: async (after, limit) => {
        const askedAt = Date.now()
        const answer = await fetchPage(name, after ?? checkpoint, limit, signal)
        if (Date.now() - askedAt > sleptOverMs) throw new Error('The answer was slept over')
        return answer
      },
      parsePage: (body) => parsePage(name, body),
    },
    onPage,
  )
}

/** One page as an answer with its status. @throws when there is no network */
async function fetchPage(
  collection: Collection,
  { epoch, version }: Checkpoint,
  limit: number,
  signal: AbortSignal,
): Promise<PageAnswer> {
  try {
    return {
      status: 200,
      isOurs: true,
      body: await call('pull', { query: { collection, limit, epoch, version }, signal }),
    }
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, isOurs: true, body: error.problem }
    if (error instanceof Broken) return { status: error.status, isOurs: true, body: undefined }
    throw error
  }
}
