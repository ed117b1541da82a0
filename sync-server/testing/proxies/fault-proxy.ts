import type http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { passOn, startProxy, swallow, writeHeadOf } from './road-proxy.ts'

/** Everything bad wifi and a dying server do to a call, and `none`. */
export const faults = [
  'none',
  /** The request never arrives. */
  'drop-request',
  /** The request arrives after its sender has given it up, perhaps behind the next ones. */
  'late-request',
  /** The server does it, and nobody hears the answer. */
  'drop-answer',
  /** The browser or a proxy sends it twice. */
  'twin',
  'status-500',
  /** 503 with Retry-After. */
  'status-503',
  /** A captive portal: 200, HTML, none of our headers. */
  'portal',
  /** 200 and empty JSON, as a misbehaving cache answers. */
  'empty-json',
  /** The answer stops in the middle. */
  'truncated',
] as const
export type Fault = (typeof faults)[number]

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

const latestMs = 300

/**
 * A proxy on loopback in front of `target` that plays a fault on each call to /api with the given probability.
 * `random` answers 0 ≤ x < 1 and decides everything, so that a seed repeats a run. An answer that no fault changes is
 * passed on piece by piece as it comes, and breaks off where the server's does. The live stream is left alone.
 */
export async function startFaultProxy(options: { target: string; random: () => number; probability: number }) {
  const { random } = options
  let { probability } = options
  let atChange: (() => void) | undefined
  const counts = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>
  const troubles = faults.filter((fault) => fault !== 'none')
  const closing = new AbortController()

  function choose(path: string): Fault {
    if (!path.startsWith('/api/') || path.startsWith('/api/sync/stream') || random() >= probability) return 'none'
    return troubles[Math.floor(random() * troubles.length)] ?? 'none'
  }

  async function play(
    fault: Fault,
    ask: () => Promise<http.IncomingMessage>,
    response: http.ServerResponse,
  ): Promise<void> {
    const say = (status: number, type: string, body: string, headers: http.OutgoingHttpHeaders = {}) =>
      void response.writeHead(status, { 'Content-Type': type, ...headers }).end(body)
    switch (fault) {
      case 'drop-request':
        return void response.destroy()
      case 'late-request':
        response.destroy()
        await delay(random() * latestMs, undefined, { signal: closing.signal })
        return void (await buffer(await ask()))
      case 'status-500':
        return say(500, 'text/plain', 'Internal Server Error')
      case 'status-503':
        return say(503, 'text/plain', 'Service Unavailable', { 'Retry-After': '1' })
      case 'portal':
        return say(200, 'text/html', '<!doctype html><title>Welcome to FreeWifi</title>')
      case 'empty-json':
        return say(200, 'application/json', '{}')
      case 'drop-answer':
        return await swallow(await ask(), response)
      case 'twin': {
        const whole = async (answer: http.IncomingMessage) => ({ answer, body: await buffer(answer) })
        const [, { answer, body }] = await Promise.all([ask().then(whole), ask().then(whole)])
        writeHeadOf(answer, response)
        return void response.end(body)
      }
      case 'truncated': {
        const answer = await ask()
        const body = await buffer(answer)
        writeHeadOf(answer, response)
        return void response.write(body.subarray(0, Math.floor(body.length * random())), () => response.destroy())
      }
      case 'none':
        return passOn(await ask(), response)
    }
  }

  const proxy = await startProxy(options.target, async ({ method, url }, askServer, response) => {
    const fault = choose(url)
    counts[fault]++
    const ask = () => {
      const onward = askServer()
      if (method === 'GET') return onward
      const callback = atChange
      atChange = undefined
      callback?.()
      return onward
    }
    await play(fault, ask, response)
  })
  return {
    origin: proxy.origin,
    /** How often each fault was played. */
    counts: counts as Readonly<typeof counts>,
    /** Every answer is passed on untouched from now on. */
    calm: () => void (probability = 0),
    /** Calls back once, when the next changing call has set out for the server: the worst moment to kill something. */
    atNextChange: (callback: () => void) => void (atChange = callback),
    close: async () => {
      closing.abort()
      await proxy.close()
    },
  }
}
