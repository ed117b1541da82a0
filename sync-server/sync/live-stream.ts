import type { ServerResponse } from 'node:http'
import type { Knex } from 'knex'
import { collectionScope, collections, scopes, type Poke, type Scope } from '#shared/sync/replication-calls.ts'
import { scopeVersion, type FeedScope } from '../feed/change-feed.ts'
import { NEW_EPOCH } from '../feed/epoch.ts'
import type { FeedAnnouncement, FeedListener } from '../feed/feed-listener.ts'

const HEARTBEAT_MS = 25_000
/** A consumer that lets this much pile up is cut; it comes back and pulls. */
const BACKLOG_LIMIT_BYTES = 64 * 1024

type StreamEvent =
  { event: 'poke'; data: Poke } | { event: 'resync'; data: object } | { event: 'come-back'; data: { afterMs: number } }

interface Stream {
  readonly sessionHash: string | null
  poke(poke: Poke): void
  send(event: StreamEvent): void
  end(): void
}

/** All open streams of this process. */
export interface LiveStreams {
  /** Streams to a response until either side ends it. */
  open(response: ServerResponse, userId: number, sessionHash: string | null): Promise<void>
  /** Tells every stream to come back at a random moment, so that a restarted server is not stormed, and ends it. */
  sendAway(): void
  count(): number
}

/**
 * Server-sent events that carry pokes only: which scope has which version, and which collections that is about. Three phases per stream:
 * backfill (the heads as they are), cutover (what was announced meanwhile), streaming (each announcement).
 * Subscribing before the heads are read is what makes the cutover free of gaps.
 */
export function createLiveStreams(db: Knex, listener: FeedListener): LiveStreams {
  const byScope = new Map<string, Set<Stream>>()
  const all = new Set<Stream>()
  let sentAway = false

  const resyncAll = () => {
    for (const stream of all) stream.send({ event: 'resync', data: {} })
  }
  listener.onAnnouncement((feedScope, announcement) => {
    if (feedScope === NEW_EPOCH) return resyncAll()
    if (feedScope.startsWith('session:')) {
      for (const stream of all) if (`session:${stream.sessionHash}` === feedScope) stream.end()
      return
    }
    const [scope] = feedScope.split(':')
    for (const stream of byScope.get(feedScope) ?? []) stream.poke(pokeOf(scope as Scope, announcement))
  })
  listener.onResumed(resyncAll)

  return {
    async open(response, userId, sessionHash) {
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      })
      response.flushHeaders()
      const places = scopes.map((scope) => ({ scope, feedScope: `${scope}:${userId}` as FeedScope }))
      const waiting: Poke[] = []
      const seen = new Map<Scope, number>()
      let streaming = false

      const write = (text: string) => {
        if (response.writableEnded || response.destroyed) return
        if (response.writableLength > BACKLOG_LIMIT_BYTES) response.destroy()
        else response.write(text)
      }
      const stream: Stream = {
        sessionHash,
        poke: (poke) => {
          if (!streaming) waiting.push(poke)
          else if (poke.version > (seen.get(poke.scope) ?? -1)) {
            seen.set(poke.scope, poke.version)
            stream.send({ event: 'poke', data: poke })
          }
        },
        send: ({ event, data }) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        end: () => response.end(),
      }

      // At once: a stream that says nothing in its first seconds is held back by something on the way.
      write(': here\n\n')
      all.add(stream)
      for (const { feedScope } of places) subscribe(byScope, feedScope, stream)
      const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
      const closed = new Promise<void>((resolve) => {
        response.once('close', () => {
          clearInterval(heartbeat)
          all.delete(stream)
          for (const { feedScope } of places) unsubscribe(byScope, feedScope, stream)
          resolve()
        })
      })

      try {
        for (const { scope, feedScope } of places) {
          const version = await scopeVersion(db, feedScope)
          seen.set(scope, version)
          stream.send({ event: 'poke', data: { scope, version } })
        }
        streaming = true
        for (const poke of waiting) stream.poke(poke)
        if (sentAway) goodbye(stream)
      } catch {
        // Without the heads the stream would promise what it does not know; the client comes back.
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
  stream.send({ event: 'come-back', data: { afterMs: 500 + Math.floor(Math.random() * 4_500) } })
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
