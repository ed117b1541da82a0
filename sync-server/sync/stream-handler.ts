import type { Knex } from 'knex'
import type { ServerResponse } from 'node:http'
import { type Scope, scopes } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import { checkRole, signInProblem } from '../calls/access.ts'
import type { RouteCall } from '../calls/call.ts'
import type { Caller } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { FeedScope } from '../feed/change-feed.ts'
import { NEW_EPOCH } from '../feed/epoch.ts'
import type { FeedListener } from '../feed/feed-listener.ts'
import type { ApiContext } from '../http/mount.ts'
import { runPrepared } from '../db/prepared.ts'

const HEARTBEAT_MS = 25_000
/** A slower consumer is cut; it comes back and pulls. */
const BACKLOG_LIMIT_BYTES = 64 * 1024

interface Stream {
  readonly response: ServerResponse
  readonly sessionHash: string | null
  /** Follows another organizer's scope. */
  readonly isMember: boolean
  /** The phone knows these versions. */
  readonly seen: Record<Scope, number>
  /** Announcements wait here while its heads are read. */
  waiting: Poke[] | undefined
}

type Follower = Pick<Caller, 'userId' | 'organizerId'>

export interface LiveStreams {
  /** It resolves when the heads are sent. */
  open(response: ServerResponse, caller: Follower, sessionHash: string | null): Promise<void>
  /** Each goes at a random moment, so that a restarted server is not stormed. */
  sendAway(): void
  count(): number
}

/** Sends the heads as server-sent events, then announcements. Subscribing before the heads are read leaves no gap. */
export function createLiveStreams(db: Knex, listener: FeedListener): LiveStreams {
  const byScope = new Map<string, Set<Stream>>()
  const all = new Set<Stream>()

  const resyncAll = () => {
    for (const { response } of all) write(response, eventText('resync', '{}'))
  }
  listener.onAnnouncement((feedScope, version) => {
    if (feedScope === NEW_EPOCH) return resyncAll()
    if (feedScope.startsWith('session:')) {
      for (const { response, sessionHash } of all) if (`session:${sessionHash}` === feedScope) response.end()
      return
    }
    const scope = feedScope.split(':')[0] as Scope
    for (const stream of byScope.get(feedScope) ?? []) {
      tell(stream, { scope, version })
      // The membership may have ended: opening the stream again asks for it.
      if (scope === 'account' && stream.isMember) stream.response.end()
    }
  })
  listener.onResumed(resyncAll)

  return {
    async open(response, caller, sessionHash) {
      // Its connection was closed unnoticed otherwise.
      if (response.destroyed) return
      const isMember = caller.userId !== caller.organizerId
      const stream: Stream = { response, sessionHash, isMember, seen: { org: -1, account: -1 }, waiting: [] }
      const feedScopes = Object.values(feedScopesOf(caller))
      all.add(stream)
      for (const feedScope of feedScopes) subscribe(byScope, feedScope, stream)
      response.once('close', () => {
        all.delete(stream)
        for (const feedScope of feedScopes) unsubscribe(byScope, feedScope, stream)
      })
      // It ends with its connection, so that no piece needs a length of its own.
      response.useChunkedEncodingByDefault = false
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      })
      response.setTimeout(HEARTBEAT_MS, () => write(response, ': still here\n\n'))
      try {
        const heads = await readHeads(db, caller)
        // The answer's head leaves with them: a stream silent in its first seconds is taken for one held back on the
        // way.
        write(response, heads.map(pokeText).join(''))
        for (const { scope, version } of heads) stream.seen[scope] = version
        const { waiting = [] } = stream
        stream.waiting = undefined
        for (const poke of waiting) tell(stream, poke)
      } catch {
        // A stream without heads would promise what it does not know; the client comes back.
        response.destroy()
      }
    },

    sendAway() {
      for (const { response } of all) {
        const afterMs = 500 + Math.floor(Math.random() * 4_500)
        write(response, eventText('come-back', JSON.stringify({ afterMs })))
        response.end()
      }
    },

    count: () => all.size,
  }
}

const pokeText = (poke: Poke) => eventText('poke', JSON.stringify(poke))
const eventText = (event: 'poke' | 'resync' | 'come-back', jsonText: string) => `event: ${event}\ndata: ${jsonText}\n\n`

function write(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return
  if (response.writableLength > BACKLOG_LIMIT_BYTES) response.destroy()
  else response.write(text)
}

function tell({ response, seen, waiting }: Stream, poke: Poke): void {
  if (waiting) return void waiting.push(poke)
  if (poke.version <= seen[poke.scope]) return
  seen[poke.scope] = poke.version
  write(response, pokeText(poke))
}

const feedScopesOf = ({ userId, organizerId }: Follower): Record<Scope, FeedScope> => ({
  org: `org:${organizerId}`,
  account: `account:${userId}`,
})

async function readHeads(db: Knex, caller: Follower): Promise<Poke[]> {
  const feedScopes = feedScopesOf(caller)
  const rows = await runPrepared<{ scope: string; version: number }>(
    db,
    'read-heads',
    'select scope, version from sync_scope where scope = any(?)',
    [Object.values(feedScopes) as unknown as Knex.Value],
  )
  const versions = new Map(rows.map(({ scope, version }) => [scope, version]))
  return scopes.map((scope) => ({ scope, version: versions.get(feedScopes[scope]) ?? 0 }))
}

function subscribe(byScope: Map<string, Set<Stream>>, feedScope: string, stream: Stream): void {
  const streams = byScope.get(feedScope)
  if (streams) streams.add(stream)
  else byScope.set(feedScope, new Set([stream]))
}

function unsubscribe(byScope: Map<string, Set<Stream>>, feedScope: string, stream: Stream): void {
  const streams = byScope.get(feedScope)
  streams?.delete(stream)
  if (streams?.size === 0) byScope.delete(feedScope)
}

export function openStream(streams: LiveStreams, isDraining: () => boolean) {
  return async (ctx: ApiContext, { caller, signedOut }: RouteCall): Promise<void> => {
    if (!caller) throw signInProblem(signedOut)
    if (isDraining()) throw new ProblemError('unavailable', 'The server is about to restart.', { retryAfterSeconds: 2 })
    checkRole('door', caller)
    if (ctx.method === 'HEAD') {
      // A head leaves with the first piece of a body, of which there is none: it would be held back for ever.
      ctx.status = 200
      ctx.type = 'text/event-stream'
      return
    }
    ctx.respond = false
    await streams.open(ctx.res, caller, ctx.state.sessionHash)
  }
}
