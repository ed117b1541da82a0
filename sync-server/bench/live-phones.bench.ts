import { connect, type Socket } from 'node:net'
import { headers } from '#shared/contract/request.ts'
import { atMost, median, type Figure } from './figures.ts'
import { decideAlone } from './live-cost.bench.ts'
import { processorMs } from './process-meters.ts'
import type { RawServer, Stage } from './stage.ts'

const turns = 5
const decisions = 20

interface Phone {
  readonly socket: Socket
  /** It resolves when the text has arrived. */
  shows(text: string): Promise<void>
}

/** One of the two servers that are measured: what a phone sends to it, and what it waits for. */
interface Side {
  readonly pid: number
  readonly port: number
  readonly request: string
  readonly begun: string
  heldBytes(): Promise<number>
  decide(id: number): Promise<Response>
}

interface Cost {
  readonly connectMs: number[]
  heldBytes: number
  readonly changeMs: number[]
}

/**
 * What the live streams of an organizer's many phones cost the server's process, beside a plain SSE server on node:http:
 * processor time for one to connect, memory while it is open, processor time for one change until all have it. The two
 * take turns. Linux alone tells a process' time in this way.
 */
export async function benchLivePhones(stage: Stage, raw: RawServer, phones: number): Promise<Figure[]> {
  const organizer = await stage.addOrganizer((turns + 1) * decisions * 2)
  const ids = [...organizer.applicationIds]
  const cookie = await stage.signIn(organizer.userId)
  const decider = await stage.signIn(organizer.userId)
  const ours: Side = {
    pid: stage.server.pid(),
    port: stage.server.port,
    request: `GET /api/sync/stream HTTP/1.1\r\nHost: localhost\r\nCookie: sid=${cookie}\r\n${headers.deviceId}: bench\r\n\r\n`,
    begun: '"scope":"account"',
    heldBytes: stage.heldBytes,
    decide: decideAlone(stage, organizer.userId, decider),
  }
  const floor: Side = {
    pid: raw.pid,
    port: raw.port,
    request: 'GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n',
    begun: ': here',
    heldBytes: raw.heldBytes,
    decide: raw.decide,
  }
  const sides = [floor, ours].map((side) => ({ side, open: [] as Phone[], cost: emptyCost() }))
  for (let turn = -1; turn < turns; turn += 1) {
    for (const { side, open, cost } of sides) {
      // A collection makes the program slow for a while, so that there is none between the turns.
      if (turn === 0) cost.heldBytes -= (await side.heldBytes()) / phones / turns
      const before = processorMs(side.pid)
      open.push(...(await Promise.all(Array.from({ length: phones }, () => openPhone(side)))))
      if (turn >= 0) cost.connectMs.push((processorMs(side.pid) - before) / phones)
    }
  }
  for (const { side, open, cost } of sides) {
    cost.heldBytes += (await side.heldBytes()) / phones / turns
    for (const { socket } of open.splice(phones)) socket.destroy()
    await side.heldBytes()
  }
  for (let turn = -1; turn < turns; turn += 1) {
    await stage.db('rate_limits').delete()
    for (const { side, open, cost } of sides) {
      const before = processorMs(side.pid)
      for (const id of ids.splice(0, decisions)) {
        const shown = Promise.all(open.map((phone) => phone.shows('event: poke')))
        const answer = await side.decide(id)
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`the decision was answered ${answer.status}`)
        await shown
      }
      if (turn >= 0) cost.changeMs.push((processorMs(side.pid) - before) / decisions)
    }
  }
  for (const { open } of sides) for (const { socket } of open) socket.destroy()
  const [plain, our] = sides.map(({ cost }) => cost) as [Cost, Cost]
  const [floorKb, heldKb] = [plain.heldBytes / 1000, our.heldBytes / 1000]
  return [
    atMost('One live phone connects: processor time', median(our.connectMs), 1.5, median(plain.connectMs)),
    {
      name: 'One live phone: memory while connected',
      seen: `${heldKb.toFixed(1)} kB`,
      floor: `${floorKb.toFixed(1)} kB`,
      ratio: `${(heldKb / floorKb).toFixed(2)}×`,
      target: '≤ 40 kB',
      isReached: heldKb <= 40,
    },
    atMost(`One change for ${phones} live phones: processor time`, median(our.changeMs), 25, median(plain.changeMs)),
  ]
}

const emptyCost = (): Cost => ({ connectMs: [], heldBytes: 0, changeMs: [] })

async function openPhone({ port, request, begun }: Side): Promise<Phone> {
  let text = ''
  let awaited: { readonly text: string; done(): void } | undefined
  const shows = (wanted: string) =>
    new Promise<void>((done) => {
      awaited = { text: wanted, done }
    })
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (awaited && text.includes(awaited.text)) awaited.done()
    text = text.slice(-100)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`a stream ended: ${text}`)))
    void shows(begun).then(resolve)
  })
  return { socket, shows }
}
