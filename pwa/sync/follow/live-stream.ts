import { timings } from '../../browser/timings.ts'
import { scopes } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import { parsed } from '#shared/text/parsed.ts'
import type { Timers } from '../drain/wake.ts'

export type OpenedStream =
  | { readonly kind: 'open'; readonly pieces: AsyncIterable<string> }
  /** Our server refused: waiting does not help. */
  | { readonly kind: 'refused'; readonly why: 'signed-out' | 'update-app' }

export interface StreamEnd {
  /** Counts from the server's first word, and is 0 without one. */
  readonly livedMs: number
  /** The server wants the stream to be opened again after this. */
  readonly comeBackMs: number | undefined
  readonly refusal: 'signed-out' | 'update-app' | undefined
}

export interface StreamListener {
  onLive(): void
  onPoke(poke: Poke): void
  /** Something may have been missed: everything is to be pulled. */
  onResync(): void
  /** It is called once, and last; never after `close`. */
  onEnd(end: StreamEnd): void
}

export interface StreamTerms {
  /** Rejects when nothing, or not our server, answered. */
  readonly open: (signal: AbortSignal) => Promise<OpenedStream>
  readonly timers: Timers
  /** The clock is monotonic and counts milliseconds. */
  readonly now: () => number
  readonly patienceMs: number
}

/**
 * Opens the stream once and reads it to its end. What holds it back on the way, with an answer's head or without, is
 * noticed by the missing word.
 */
export function connectStream(terms: StreamTerms, listener: StreamListener): { close(): void } {
  const { timers, now } = terms
  const controller = new AbortController()
  let closed = false
  let cancelSilence = () => {}
  const waitForWord = (milliseconds: number) => {
    cancelSilence()
    cancelSilence = timers.after(milliseconds, () => controller.abort())
  }

  async function run(): Promise<StreamEnd> {
    let liveSince: number | undefined
    let comeBackMs: number | undefined
    try {
      const opened = await abortable(terms.open(controller.signal), controller.signal)
      if (opened.kind === 'refused') return { livedMs: 0, comeBackMs, refusal: opened.why }
      const read = eventReader(({ event, data }) => {
        if (closed) return
        if (event === 'poke') {
          const poke = readPoke(data)
          if (poke) listener.onPoke(poke)
        }
        if (event === 'resync') listener.onResync()
        if (event === 'come-back' && typeof data['afterMs'] === 'number') comeBackMs = Math.max(0, data['afterMs'])
      })
      const iterator = opened.pieces[Symbol.asyncIterator]()
      for (;;) {
        const piece = await abortable(iterator.next(), controller.signal)
        if (closed || piece.done) break
        waitForWord(timings.streamSilenceMs)
        if (liveSince === undefined) {
          liveSince = now()
          listener.onLive()
        }
        read(piece.value)
      }
    } catch {
      // However it broke: it is over.
    }
    return { livedMs: liveSince === undefined ? 0 : now() - liveSince, comeBackMs, refusal: undefined }
  }

  waitForWord(terms.patienceMs)
  void run().then((end) => {
    cancelSilence()
    controller.abort()
    if (!closed) listener.onEnd(end)
  })
  return {
    close() {
      closed = true
      cancelSilence()
      controller.abort()
    },
  }
}

/** Rejects as soon as the signal is raised, whether or not the other side notices. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('given up'))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

export function readPoke({ scope, version }: StreamEvent['data']): Poke | undefined {
  const known = scopes.find((candidate) => candidate === scope)
  return known && typeof version === 'number' ? { scope: known, version } : undefined
}

interface StreamEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The pieces may end anywhere. Comments and what is no JSON object are passed over. */
export function eventReader(onEvent: (event: StreamEvent) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    rest += piece
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      let event = 'message'
      let text = ''
      for (const line of block.split(/\r?\n/)) {
        if (line.startsWith('event:')) event = line.slice(6).trim()
        if (line.startsWith('data:')) text += line.slice(5).trim()
      }
      const data = parsed(text)
      if (typeof data === 'object' && data !== null) onEvent({ event, data: data as StreamEvent['data'] })
    }
  }
}
