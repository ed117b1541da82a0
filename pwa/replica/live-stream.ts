import { collections, scopes, type Poke } from '#shared/api/replication.ts'
import { openStream } from '../api/call.ts'

/** What the server says on the stream, and what the stream says about itself. */
export interface StreamListener {
  /** The scope has this version now. */
  onPoke(poke: Poke): void
  /** Something may have been missed: everything is to be pulled. */
  onResync(): void
  onOpen(): void
}

export interface LiveStream {
  /** Neither open nor being opened: it waits for its next try. */
  isWaiting(): boolean
  /** Closes what is open, which may be dead without knowing, and opens again at once. */
  reopen(): void
  close(): void
}

/** The server says something every 25 s; a stream that is silent for much longer is dead. */
const silenceMs = 60_000
const firstWaitMs = 1_000
const longestWaitMs = 30_000

/** Follows the server's stream until closed, through every interruption. */
export function followLiveStream(listener: StreamListener): LiveStream {
  let controller = new AbortController()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting = false
  let closed = false

  async function run(mine: AbortController): Promise<void> {
    let comeBackMs: number | null = null
    let silence: ReturnType<typeof setTimeout> | undefined
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(() => mine.abort(), silenceMs)
    }
    try {
      heard()
      const pieces = await openStream('openStream', mine.signal)
      failures = 0
      listener.onOpen()
      const read = eventReader(({ event, data }) => {
        if (event === 'poke') {
          const poke = readPoke(data)
          if (poke) listener.onPoke(poke)
        }
        if (event === 'resync') listener.onResync()
        if (event === 'come-back' && typeof data['afterMs'] === 'number') comeBackMs = data['afterMs']
      })
      for await (const piece of pieces) {
        heard()
        read(piece)
      }
    } catch {
      failures += 1
    } finally {
      clearTimeout(silence)
    }
    if (closed || mine !== controller) return
    const backoffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures, 6)) * (0.5 + Math.random() / 2)
    waiting = true
    timer = setTimeout(open, comeBackMs ?? (failures === 0 ? firstWaitMs : backoffMs))
  }

  function open(): void {
    clearTimeout(timer)
    waiting = false
    controller.abort()
    if (closed) return
    controller = new AbortController()
    void run(controller)
  }

  open()
  return {
    isWaiting: () => waiting,
    reopen() {
      failures = 0
      open()
    },
    close() {
      closed = true
      clearTimeout(timer)
      controller.abort()
    },
  }
}

/** A poke as this app understands it; one that names a collection it does not know says only that something changed. */
export function readPoke({ scope, version, since, collections: names }: StreamEvent['data']): Poke | null {
  const known = scopes.find((candidate) => candidate === scope)
  if (!known || typeof version !== 'number') return null
  const plain = { scope: known, version }
  if (typeof since !== 'number' || !Array.isArray(names)) return plain
  const named = collections.filter((name) => names.includes(name))
  return named.length === names.length ? { ...plain, since, collections: named } : plain
}

interface StreamEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Reads server-sent events from pieces of text that may end anywhere. Comments and what is no JSON object are passed over. */
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
      const data = objectOf(text)
      if (data) onEvent({ event, data })
    }
  }
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
