import { headers } from '#shared/contract/request.ts'
import type { Transport, TransportAnswer } from '../../drain/transport.ts'
import { problem, type Line, type ModelEntry, type ModelServer } from '../model-server.ts'
import { deliver, type SimContext, type SimDevice } from './sim-device.ts'
import type { World } from './sim-world.ts'

/** How bad this history's network and server are: probabilities per request or per entry. */
export interface Weather {
  dropBefore: number
  dropAfter: number
  duplicate: number
  truncate: number
  portal: number
  hang: number
  wholeIllness: number
  entryIllness: number
  serverCrash: number
  slowestMs: number
}

export const fairWeather: Weather = {
  dropBefore: 0,
  dropAfter: 0,
  duplicate: 0,
  truncate: 0,
  portal: 0,
  hang: 0,
  wholeIllness: 0,
  entryIllness: 0,
  serverCrash: 0,
  slowestMs: 60,
}

export interface NetworkRules {
  readonly world: World
  readonly server: ModelServer
  weather: Weather
  met(what: string): void
  onRequest(device: SimDevice, context: SimContext, account: number | null, entries: readonly ModelEntry[]): void
  onResponse(device: SimDevice, context: SimContext): void
}

/** A body that comes in pieces over time and may break off. */
export function openBody(): { push(piece: string): void; end(): void; fail(): void; body: AsyncIterable<string> } {
  const pieces: string[] = []
  let state: 'open' | 'ended' | 'failed' = 'open'
  let wake = () => {}
  const change = (next: typeof state) => {
    if (state === 'open') state = next
    wake()
  }
  return {
    push(piece) {
      pieces.push(piece)
      wake()
    },
    end: () => change('ended'),
    fail: () => change('failed'),
    body: {
      [Symbol.asyncIterator]: () => ({
        async next() {
          for (;;) {
            const piece = pieces.shift()
            if (piece !== undefined) return { done: false, value: piece }
            if (state === 'ended') return { done: true, value: undefined }
            if (state === 'failed') throw new Error('The connection broke')
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        },
      }),
    },
  }
}

const portals: readonly { status: number; text: string; type: string }[] = [
  { status: 200, text: '<html>Welcome to the lobby</html>', type: 'text/html' },
  { status: 200, text: '{}', type: 'application/json' },
  { status: 0, text: '', type: '' },
  { status: 401, text: 'Log in to the proxy', type: 'text/plain' },
  { status: 403, text: '<html>Blocked</html>', type: 'text/html' },
  { status: 204, text: '', type: '' },
  { status: 502, text: 'Bad gateway', type: 'text/html' },
]

function answer(
  status: number,
  type: string,
  isOurs: boolean,
  body: AsyncIterable<string>,
  more: Record<string, string> = {},
): TransportAnswer {
  // What stands on the way may well number its answers; only our server adds its version.
  const all: Record<string, string> = {
    'Content-Type': type,
    [headers.requestId]: 'r',
    ...(isOurs ? { [headers.serverVersion]: '1' } : {}),
    ...more,
  }
  return { status, header: (name) => all[name] ?? null, body }
}

function whole(status: number, value: unknown, isOurs = true, retryAfter?: number): TransportAnswer {
  const body = openBody()
  body.push(JSON.stringify(value))
  body.end()
  return answer(
    status,
    'application/json',
    isOurs,
    body.body,
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  )
}

/** The road from one context to the server, with everything that happens on roads. */
export function roadFor(
  device: SimDevice,
  context: () => SimContext,
  rules: NetworkRules,
  isDown = () => false,
): Transport {
  const { world, server } = rules
  return (request) =>
    new Promise<TransportAnswer>((resolve, reject) => {
      const self = context()
      const { weather } = rules
      const sent = JSON.parse(request.body) as {
        account: number | null
        entries?: ModelEntry[]
        key?: string
        keys?: string[]
      }
      if (device.isOldApp) for (const { body: said } of sent.entries ?? []) delete said?.['origin']
      const isBatch = sent.entries !== undefined
      const body = openBody()
      let isOver = false
      if (isBatch) {
        rules.onRequest(device, self, sent.account, sent.entries ?? [])
        self.sending++
      }
      const over = () => {
        if (isOver) return
        isOver = true
        if (isBatch) self.sending--
        rules.onResponse(device, self)
      }
      const fail = () => {
        over()
        deliver(self, () => {
          reject(new TypeError('Failed to fetch'))
          body.fail()
        })
      }
      request.signal.addEventListener('abort', fail)
      const reply = (made: TransportAnswer) => deliver(self, () => resolve(made))
      const later = (run: () => void) => world.after(5 + world.random() * weather.slowestMs, run)
      const scope = sent.account === null ? `device:${device.name}` : `user:${sent.account}`

      if (!device.isOnline) {
        if (!device.hangsOffline) later(fail)
        return
      }
      if (isDown()) return void later(fail)
      if (world.chance(weather.hang)) return
      if (world.chance(weather.dropBefore)) return void later(fail)
      if (world.chance(weather.portal)) {
        rules.met('portal')
        const page = world.pick(portals) ?? portals[0]!
        return void later(() => {
          body.push(page.text)
          body.end()
          over()
          reply(answer(page.status, page.type, false, body.body))
        })
      }
      const isLost = world.chance(weather.dropAfter)
      const setOutIn = server.restores

      const arrive = (isCopy: boolean) => {
        // What was on its way to the server before its database went back is not handed to the one after.
        if (isCopy && server.restores !== setOutIn) return
        if (sent.account !== null && device.session !== sent.account) {
          rules.met('signed-out')
          const code = device.session === null ? 'session_expired' : 'account_mismatch'
          return later(() => {
            over()
            if (!isCopy) reply(whole(code === 'session_expired' ? 401 : 409, problem(code)))
          })
        }
        if (world.chance(weather.wholeIllness)) {
          const kind = world.below(4)
          return later(() => {
            over()
            if (isCopy) return
            if (kind === 0) reply(whole(500, problem('internal')))
            else if (kind === 1) reply(whole(503, problem('unavailable'), true, world.below(5)))
            else if (kind === 2) reply(whole(429, problem('too_many_requests'), true, 1 + world.below(5)))
            else reply(whole(503, 'Service Unavailable', false))
          })
        }
        const toForbid = sent.keys ?? (sent.key === undefined ? [] : [sent.key])
        if (toForbid.length > 0) {
          const outcomes = toForbid.map((key) => server.cancel(scope, key))
          for (const outcome of outcomes) rules.met(`cancel: ${outcome}`)
          return later(() => {
            over()
            if (isLost || isCopy) fail()
            else reply(whole(200, sent.keys ? { outcomes } : { outcome: outcomes[0] }))
          })
        }
        const illness = () =>
          world.chance(weather.entryIllness)
            ? world.chance(0.5)
              ? ({ status: 500 } as const)
              : ({ status: 503, retryAfterSeconds: world.below(4) } as const)
            : undefined
        const lines = server.runBatch(sent.account, scope, sent.entries ?? [], illness)
        const { epoch, restores } = server
        const cutAt = world.chance(weather.truncate) ? world.below(200) : Infinity
        let written = 0
        const write = (line: Line) => {
          if (isCopy || isLost) return
          const text = `${JSON.stringify(line)}\n`
          const room = Math.max(0, cutAt - written)
          written += text.length
          if (room > 0) body.push(text.slice(0, room))
          if (room < text.length) {
            rules.met('truncated')
            if (world.chance(0.5)) body.end()
            else fail()
          }
        }
        const runNext = () => {
          // A server that was restored is another process with another database: nobody ends the answers of the old one.
          if (world.chance(weather.serverCrash) || server.epoch !== epoch || server.restores !== restores) {
            rules.met('server crash')
            if (!isCopy) fail()
            return
          }
          const next = lines.next()
          if (next.done) {
            if (isCopy) return
            if (isLost) return fail()
            body.end()
            over()
            return
          }
          if ('status' in next.value) {
            if (next.value.status === 409) rules.met('conflict')
            if (next.value.status >= 400 && next.value.status < 500) rules.met('refusal')
          }
          write(next.value)
          // Some servers take their time between two changes, so that others come in between.
          if (world.chance(0.3)) later(runNext)
          else runNext()
        }
        if (!isCopy && !isLost)
          reply(answer(200, 'application/x-ndjson; charset=utf-8', true, body.body, { 'X-Epoch': String(epoch) }))
        runNext()
      }
      later(() => arrive(false))
      if (world.chance(weather.duplicate)) {
        rules.met('duplicate')
        world.after(world.random() * 8000, () => arrive(true))
      }
    })
}
