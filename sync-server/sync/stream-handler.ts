import type { Knex } from 'knex'
import type { ServerResponse } from 'node:http'
import { collections, collectionScope, type Scope, scopes } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import { signInProblem } from '../calls/access.ts'
import type { RouteCall } from '../calls/route-call.ts'
import { ProblemError } from '../calls/problems.ts'
import { type FeedScope, scopeVersion } from '../feed/change-feed.ts'
import { NEW_EPOCH } from '../feed/epoch.ts'
import type { FeedAnnouncement, FeedListener } from '../feed/feed-listener.ts'
import type { ApiContext } from '../http/mount.ts'
import { carryDocuments } from './carried-documents.ts'

const HEARTBEAT_MS = 25_000
/** A slower consumer is cut; it comes back and pulls. */
const BACKLOG_LIMIT_BYTES = 64 * 1024

interface PokeText {
  readonly scope: Scope
  readonly version: number
  readonly jsonText: string
}

interface Stream {
  readonly sessionHash: string | null
  isBehind(scope: Scope, version: number): boolean
  poke(poke: PokeText): void
  send(event: 'poke' | 'resync' | 'come-back', jsonText: string): void
  end(): void
}

export interface LiveStreams {
  open(response: ServerResponse, userId: number, sessionHash: string | null): Promise<void>
  /** At random moments, so that a restarted server is not stormed. */
  sendAway(): void
  count(): number
}

/** Server-sent events: the heads, then announcements. Subscribing before the heads are read leaves no gap. */
export function createLiveStreams(db: Knex, listener: FeedListener): LiveStreams {
  const byScope = new Map<string, Set<Stream>>()
  const all = new Set<Stream>()
  /** Announcements of a scope keep their order, also where one waits for its documents. */
  const told = new Map<string, Promise<void>>()
  let sentAway = false

  const resyncAll = () => {
    for (const stream of all) stream.send('resync', '{}')
  }
  listener.onAnnouncement((feedScope, announcement) => {
    if (feedScope === NEW_EPOCH) return resyncAll()
    if (feedScope.startsWith('session:')) {
      for (const stream of all) if (`session:${stream.sessionHash}` === feedScope) stream.end()
      return
    }
    if (!byScope.has(feedScope)) return
    const before = told.get(feedScope)
    const now = (before ?? Promise.resolve()).then(() => announce(feedScope as FeedScope, announcement))
    told.set(feedScope, now)
    void now.finally(() => {
      if (told.get(feedScope) === now) told.delete(feedScope)
    })
  })

  async function announce(feedScope: FeedScope, announcement: FeedAnnouncement): Promise<void> {
    const scope = feedScope.split(':')[0] as Scope
    const behind = () => [...(byScope.get(feedScope) ?? [])].filter((one) => one.isBehind(scope, announcement.version))
    // An earlier announcement's reading may have brought these too.
    if (behind().length === 0) return
    const poke = pokeOf(scope, announcement)
    const carried = await carryDocuments(db, feedScope, poke).catch(() => undefined)
    const ready = carried ?? { version: poke.version, jsonText: JSON.stringify(poke) }
    for (const stream of behind()) stream.poke({ scope, ...ready })
  }
  listener.onResumed(resyncAll)

  return {
    async open(response, userId, sessionHash) {
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      })
      response.flushHeaders()
      const ownScopes = scopes.map((scope) => ({ scope, feedScope: `${scope}:${userId}` as FeedScope }))
      const waiting: PokeText[] = []
      const seen = new Map<Scope, number>()
      let streaming = false

      const write = (text: string) => {
        if (response.writableEnded || response.destroyed) return
        if (response.writableLength > BACKLOG_LIMIT_BYTES) response.destroy()
        else response.write(text)
      }
      const stream: Stream = {
        sessionHash,
        isBehind: (scope, version) => !streaming || version > (seen.get(scope) ?? -1),
        poke: (poke) => {
          if (!streaming) waiting.push(poke)
          else if (stream.isBehind(poke.scope, poke.version)) {
            seen.set(poke.scope, poke.version)
            stream.send('poke', poke.jsonText)
          }
        },
        send: (event, jsonText) => write(`event: ${event}\ndata: ${jsonText}\n\n`),
        end: () => response.end(),
      }

      // A stream silent in its first seconds is taken for one held back on the way.
      write(': here\n\n')
      all.add(stream)
      for (const { feedScope } of ownScopes) subscribe(byScope, feedScope, stream)
      const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
      const closed = new Promise<void>((resolve) => {
        response.once('close', () => {
          clearInterval(heartbeat)
          all.delete(stream)
          for (const { feedScope } of ownScopes) unsubscribe(byScope, feedScope, stream)
          resolve()
        })
      })

      try {
        for (const { scope, feedScope } of ownScopes) {
          const version = await scopeVersion(db, feedScope)
          seen.set(scope, version)
          stream.send('poke', JSON.stringify({ scope, version } satisfies Poke))
        }
        streaming = true
        for (const poke of waiting) stream.poke(poke)
        if (sentAway) goodbye(stream)
      } catch {
        // A stream without heads would promise what it does not know; the client comes back.
        response.destroy()
      }
      await closed
    },

    sendAway() {
      sentAway = true
      for (const stream of all) goodbye(stream)
    },

    count: () => all.size,
  }
}

function pokeOf(scope: Scope, { version, since, collections: names }: FeedAnnouncement): Poke {
  return {
    scope,
    version,
    since,
    collections: collections.filter((name) => collectionScope[name] === scope && names.includes(name)),
  }
}

function goodbye(stream: Stream): void {
  stream.send('come-back', JSON.stringify({ afterMs: 500 + Math.floor(Math.random() * 4_500) }))
  stream.end()
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
    ctx.respond = false
    await streams.open(ctx.res, caller.userId, ctx.state.sessionHash)
  }
}
