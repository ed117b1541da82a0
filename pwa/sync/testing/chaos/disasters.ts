import { setTimeout as delay } from 'node:timers/promises'
import type { FaultProxy } from '../../../../sync-server/testing/proxies/fault-proxy.ts'
import type { ServerProcess } from '../../../../sync-server/testing/server-process.ts'
import type { Witness } from './witness.ts'

/** What dies by SIGKILL: the server, PostgreSQL, one of PostgreSQL's own processes, or everything at once. */
export const disasters = ['server', 'postgres', 'backend', 'everything'] as const
export type Disaster = (typeof disasters)[number]

/** What happens at which step: each kind twice, spread over the run in an order of the seed's own. */
export function planDisasters(changes: number, random: () => number): Map<number, Disaster> {
  const order = [...disasters, ...disasters]
    .map((kind) => ({ kind, at: random() }))
    .sort((one, other) => one.at - other.at)
  const stretch = changes / (order.length + 1)
  return new Map(order.map(({ kind }, index) => [Math.floor(stretch * (index + 0.5 + random() * 0.8)), kind]))
}

interface DisasterRig {
  readonly server: ServerProcess
  readonly witness: Witness
  readonly proxy: FaultProxy
  readonly random: () => number
}

/** Milliseconds after a change has set out for the server within which the blow falls. */
const strikeWithinMs = 25
const longestDownMs = 400
const recoveryMs = 30_000

/**
 * Waits for a change on its way to the server, kills in the middle of it, and resolves when everything serves again.
 * Throws when the server does not survive the death of its database, or does not come back.
 */
export async function strike(disaster: Disaster, { server, witness, proxy, random }: DisasterRig): Promise<void> {
  await new Promise<void>((resolve) => proxy.atNextChange(resolve))
  await delay(random() * strikeWithinMs)
  const { postmaster, backends } = await witness.processes()
  if (disaster === 'backend') killNow(backends[Math.floor(random() * backends.length)])
  if (disaster === 'postgres' || disaster === 'everything') killNow(postmaster)
  if (disaster === 'server' || disaster === 'everything') {
    await server.kill()
    await delay(random() * longestDownMs)
    await server.start()
    return
  }
  await servesAgain(server)
}

function killNow(pid: number | undefined): void {
  if (!pid) throw new Error('there was nothing to kill')
  process.kill(pid, 'SIGKILL')
}

/** Nobody starts anything here: the server has to help itself. */
async function servesAgain(server: ServerProcess): Promise<void> {
  // The blow is felt only after a moment: an early "ready" says nothing.
  await delay(300)
  const deadline = Date.now() + recoveryMs
  while (Date.now() < deadline) {
    if (!server.isRunning()) throw new Error(`the server died of its database's death:\n${server.output()}`)
    const answer = await fetch(`${server.origin}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    if (answer?.ok) return
    await delay(50)
  }
  throw new Error(`the server did not recover from its database's death:\n${server.output()}`)
}
