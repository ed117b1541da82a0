import type { Transport, TransportAnswer } from '../../drain/transport.ts'
import { problem, type Line } from '../model-server.ts'
import { answerOf, forbid, jsonAnswer, linesType, openBody, refusalOf, scopeOf, type Sent } from '../model-transport.ts'
import { deliver, type NetworkRules, type SimContext, type SimDevice, type Weather } from './sim-stage.ts'

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

const portals: readonly { status: number; text: string; type: string }[] = [
  { status: 200, text: '<html>Welcome to the lobby</html>', type: 'text/html' },
  { status: 200, text: '{}', type: 'application/json' },
  { status: 0, text: '', type: '' },
  { status: 401, text: 'Log in to the proxy', type: 'text/plain' },
  { status: 403, text: '<html>Blocked</html>', type: 'text/html' },
  { status: 204, text: '', type: '' },
  { status: 502, text: 'Bad gateway', type: 'text/html' },
]

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
      const sent = JSON.parse(request.body) as Sent
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
      const scope = scopeOf(sent, device.name)

      if (!device.isOnline) {
        if (!device.hangsOffline) later(fail)
        return
      }
      if (isDown()) return void later(fail)
      if (world.chance(weather.hang)) return
      if (world.chance(weather.dropBefore)) return void later(fail)
      if (world.chance(weather.portal)) {
        rules.met('portal')
        const page = world.pick(portals)!
        return void later(() => {
          over()
          reply(answerOf(page.status, [page.text], { type: page.type, ours: false }))
        })
      }
      const isLost = world.chance(weather.dropAfter)
      const setOutIn = server.restores

      const arrive = (isCopy: boolean) => {
        // What was on its way to the server before its database went back is not handed to the one after.
        if (server.restores !== setOutIn) return isCopy ? undefined : fail()
        const refusal = refusalOf(sent, device.session)
        if (refusal) {
          rules.met('signed-out')
          return later(() => {
            over()
            if (!isCopy) reply(refusal)
          })
        }
        if (world.chance(weather.wholeIllness)) {
          const kind = world.below(4)
          return later(() => {
            over()
            if (isCopy) return
            if (kind === 0) reply(jsonAnswer(500, problem('internal')))
            else if (kind === 1) reply(jsonAnswer(503, problem('unavailable'), { retryAfter: world.below(5) }))
            else if (kind === 2)
              reply(jsonAnswer(429, problem('too_many_requests'), { retryAfter: 1 + world.below(5) }))
            else reply(jsonAnswer(503, 'Service Unavailable', { ours: false }))
          })
        }
        const forbidden = forbid(server, scope, sent)
        if (forbidden) {
          for (const outcome of forbidden.outcomes) rules.met(`cancel: ${outcome}`)
          return later(() => {
            over()
            if (isLost || isCopy) fail()
            else reply(forbidden.answer)
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
        if (!isCopy && !isLost) reply({ ...answerOf(200, [], { type: linesType, epoch }), body: body.body })
        runNext()
      }
      later(() => arrive(false))
      if (world.chance(weather.duplicate)) {
        rules.met('duplicate')
        world.after(world.random() * 8000, () => arrive(true))
      }
    })
}
