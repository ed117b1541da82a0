import { AsyncLocalStorage } from 'node:async_hooks'
import { ms, median, p95, type Figure } from '../../sync-server/bench/figures.ts'
import type { Organizer, Stage } from '../../sync-server/bench/stage.ts'
import { describeSender, type Sender } from '../sync/http/call.ts'
import { newSubscriber, openNetwork } from '../sync/testing/chaos/network.ts'
import { requireEachApprovedOnce } from './queue.ts'
import { openDevice, type Device } from './restart-device.ts'

const organizers = 100
/** Phones, tablets and laptops of one organizer: what one decides, the others are told. */
const devicesEach = 5
const applicationsEach = 16
const lengthMs = 60_000
const killAfterMs = 30_000
/** Devices do not open in one moment; a hall fills within seconds. */
const arrivalMs = 5_000
/** One device of each organizer decides so often. */
const decideEveryMs = 2_500
/** A device that nothing tells of a server that is back finds out after 30 s (and up to 30 % more). */
const backLimitMs = 40_000
/** How long a device waits for what must arrive. */
const patienceMs = 180_000

/** What all devices asked of the server, and how it answered. */
interface Traffic {
  readonly perSecond: Map<number, number>
  readonly statuses: Map<number, number>
  /** By what became of the connection. */
  readonly unanswered: Map<string, number>
}

/**
 * 500 devices follow one server for a minute, a hundred of them deciding; in the middle the server is killed and started again.
 * Each device is the app's own follower and its own queue over real HTTP, without a screen and a disk. Throws unless every
 * device follows again and every decision arrived exactly once; the figures tell how long it took.
 */
export async function benchRestart(stage: Stage): Promise<Figure[]> {
  const traffic: Traffic = { perSecond: new Map(), statuses: new Map(), unanswered: new Map() }
  const stopCounting = countTraffic(traffic)
  const network = openNetwork(stage.server.origin)
  const current = new AsyncLocalStorage<Sender>()
  describeSender(async () => current.getStore() ?? null)
  const devices: Device[] = []
  const deciding: { organizer: Organizer; device: Device }[] = []
  try {
    for (let number = 0; number < organizers; number += 1) {
      const organizer = await stage.addOrganizer(applicationsEach)
      for (let index = 0; index < devicesEach; index += 1) {
        const sender = { deviceId: crypto.randomUUID(), deviceName: 'Bench', account: organizer.userId }
        const cookie = `sid=${await stage.signIn(organizer.userId)}`
        network.subscribers.set(sender.deviceId, newSubscriber({ address: '127.0.0.1', cookie }))
        const device = openDevice(sender, (run) => current.run(sender, run))
        devices.push(device)
        if (index === 0) deciding.push({ organizer, device })
      }
    }
    const startedAt = performance.now()
    const opening = devices.map(async (device, index) => {
      await passed(startedAt + (index / devices.length) * arrivalMs)
      await device.start()
    })
    const decisions = deciding.map(({ organizer, device }, index) =>
      decideAll(organizer, device, startedAt + index * 20),
    )
    await Promise.all(opening)
    await until(() => devices.every(({ isLive }) => isLive()), 'every device is live before the restart')

    await passed(startedAt + killAfterMs)
    const killedAt = performance.now()
    await stage.server.kill()
    await until(() => devices.every(({ isLive }) => !isLive()), 'every device has noticed')
    await stage.server.start()
    const readyAt = performance.now()
    await until(() => devices.every(({ isLive }) => isLive()), 'every device is live again')
    await passed(startedAt + lengthMs)

    await Promise.all(decisions)
    await until(
      () => devices.every(({ entries, refused }) => entries().length === refused()),
      'every decision is settled or refused',
    )
    for (const { organizer } of deciding) await requireEachApprovedOnce(stage.db, organizer)
    const refused = devices.reduce((sum, device) => sum + device.refused(), 0)
    if (refused > 0) throw new Error(`${refused} answers refused a decision for good`)
    const again = devices.map((device) => device.liveSince() - readyAt)
    const afterRestart = [...traffic.perSecond].filter(([second]) => second >= Math.floor(killedAt / 1000))
    const errors = [...traffic.statuses].filter(([status]) => status === 429 || status >= 500)
    const count = errors.reduce((sum, [, answers]) => sum + answers, 0)
    console.log(
      `restart: killed for ${ms(readyAt - killedAt)}; live again after median ${ms(median(again))}, p95 ${ms(p95(again))}, last ${ms(Math.max(...again))}; at most ${Math.max(...afterRestart.map(([, requests]) => requests))} requests a second after it, ${Math.max(...traffic.perSecond.values())} in all; answers ${counted(traffic.statuses)}, none to ${counted(traffic.unanswered)}; ${organizers * applicationsEach} decisions arrived once`,
    )
    const name = `${devices.length} devices through a restart of the server`
    return [
      figure(`${name}: ready → all live again`, Math.max(...again), backLimitMs),
      {
        name: `${name}: answers 429 or 5xx`,
        seen: String(count),
        floor: '',
        ratio: '',
        target: '0',
        isReached: count === 0,
      },
    ]
  } finally {
    for (const device of devices) device.close()
    network.end()
    stopCounting()
    if (!stage.server.isRunning()) await stage.server.start()
  }
}

function figure(name: string, seenMs: number, limitMs: number): Figure {
  return { name, seen: ms(seenMs), floor: '', ratio: '', target: `≤ ${limitMs} ms`, isReached: seenMs <= limitMs }
}

/** Approves everybody, one after the other, whether or not there is a server. */
async function decideAll({ eventId, applicationIds }: Organizer, device: Device, startedAt: number): Promise<void> {
  for (const [index, applicationId] of applicationIds.entries()) {
    await passed(startedAt + arrivalMs + index * decideEveryMs)
    await device.approve({ eventId, applicationId })
  }
}

const counted = (counts: ReadonlyMap<string | number, number>) =>
  [...counts].map(([what, count]) => `${count} × ${what}`).join(', ')

/** The code of the innermost error, or its name: Node's fetch says the same of every connection. */
function reasonOf(error: unknown): string {
  const { cause, code, name } = error as { cause?: unknown; code?: unknown; name?: unknown }
  return typeof cause === 'object' && cause !== null ? reasonOf(cause) : String(typeof code === 'string' ? code : name)
}

/** Counts every request of this process and its answer; @returns how to stop. */
function countTraffic(traffic: Traffic): () => void {
  const original = globalThis.fetch
  globalThis.fetch = async (address, init) => {
    const second = Math.floor(performance.now() / 1000)
    traffic.perSecond.set(second, (traffic.perSecond.get(second) ?? 0) + 1)
    try {
      const answer = await original(address, init)
      traffic.statuses.set(answer.status, (traffic.statuses.get(answer.status) ?? 0) + 1)
      return answer
    } catch (error) {
      const why = reasonOf(error)
      traffic.unanswered.set(why, (traffic.unanswered.get(why) ?? 0) + 1)
      throw error
    }
  }
  return () => {
    globalThis.fetch = original
  }
}

async function passed(at: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`Not within ${patienceMs / 1000} s: ${what}`)
    await passed(performance.now() + 50)
  }
}
