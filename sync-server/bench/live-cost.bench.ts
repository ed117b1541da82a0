import { randomUUID } from 'node:crypto'
import { headers } from '#shared/contract/request.ts'
import { timesTheFloor, type Figure } from './figures.ts'
import { descendants, processorMs } from './process-meters.ts'
import type { RawServer, Stage } from './stage.ts'

const streams = 2
const turns = 5

/**
 * What one decision with two live streams costs the server and PostgreSQL in processor time, beside the plainest server
 * that keeps, stores and announces the same. The two take turns. Linux alone tells a process' time in this way.
 */
export async function benchLiveCost(stage: Stage, raw: RawServer, decisions: number): Promise<Figure> {
  const organizer = await stage.addOrganizer((turns + 1) * decisions * 2, ((turns + 1) * decisions) / 100)
  const ids = [...organizer.applicationIds]
  const cookie = await stage.signIn(organizer.userId)
  const ourStreams = await openStreams(`${stage.server.origin}/api/sync/stream`, signedBy(cookie))
  const rawStreams = await openStreams(`http://127.0.0.1:${raw.port}/stream`, {})
  const decide = decideAlone(stage, organizer.userId, cookie)

  const postmaster = stage.postgresPid
  const ours: number[] = []
  const floor: number[] = []
  for (let turn = -1; turn < turns; turn += 1) {
    await stage.db('rate_limits').delete()
    const our = await cost([stage.server.pid(), postmaster], ids.splice(0, decisions), decide, ourStreams)
    const plain = await cost([raw.pid, postmaster], ids.splice(0, decisions), raw.decide, rawStreams)
    if (turn < 0) continue
    ours.push(our)
    floor.push(plain)
  }
  ourStreams.close()
  rawStreams.close()
  return timesTheFloor('One live decision, two streams: processor time (floor: node:http + pg)', ours, floor, 3)
}

const signedBy = (cookie: string) => ({
  cookie: `sid=${cookie}`,
  'Sec-Fetch-Site': 'same-origin',
  [headers.deviceId]: 'bench',
})

/** Approves one application in a request of its own. */
export function decideAlone(stage: Stage, account: number, cookie: string): (id: number) => Promise<Response> {
  return async (id) => {
    const entry = {
      key: randomUUID(),
      route: 'decideApplication',
      lane: `application:${id}`,
      params: { beaconId: id },
      body: { status: 'approved' },
    }
    return await fetch(`${stage.server.origin}/api/sync/mutations`, {
      method: 'POST',
      headers: { ...signedBy(cookie), 'Content-Type': 'application/json' },
      body: JSON.stringify({ account, entries: [entry] }),
    })
  }
}

type Streams = Awaited<ReturnType<typeof openStreams>>

async function openStreams(url: string, requestHeaders: Record<string, string>) {
  const stop = new AbortController()
  let waiting: { missing: number; done: () => void } | undefined
  const read = async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const chunk of body) {
        text += decoder.decode(chunk, { stream: true })
        const end = text.lastIndexOf('\n\n')
        if (end === -1) continue
        const events = text.slice(0, end)
        text = text.slice(end + 2)
        if (waiting && events.includes('data: ') && --waiting.missing === 0) waiting.done()
      }
    } catch {
      // The bench is over.
    }
  }
  for (let stream = 0; stream < streams; stream += 1) {
    const answer = await fetch(url, { headers: requestHeaders, signal: stop.signal })
    if (!answer.ok || !answer.body) throw new Error(`the stream was answered ${answer.status}`)
    void read(answer.body)
  }
  return {
    /** Resolves when each stream has brought a poke. */
    poked: () =>
      new Promise<void>((done) => {
        waiting = { missing: streams, done }
      }),
    close: () => stop.abort(),
  }
}

/** Milliseconds of processor time a decision, each made when the streams have brought the one before. */
async function cost(
  [server, postmaster]: readonly [number, number],
  ids: readonly number[],
  decide: (id: number) => Promise<Response>,
  streaming: Streams,
): Promise<number> {
  const spent = () => processorMs(server) + descendants(postmaster).reduce((sum, pid) => sum + processorMs(pid), 0)
  const before = spent()
  for (const id of ids) {
    const poked = streaming.poked()
    const answer = await decide(id)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the decision was answered ${answer.status}`)
    await poked
  }
  return (spent() - before) / ids.length
}
