import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { listen, requestTimes } from '../app/app.ts'
import { readBody } from '../calls/request-body.ts'
import { setTestServer } from '../testing/test-server.ts'

/** The times of the server, those for a head ten times as short. */
const times = {
  wholeMs: requestTimes.wholeMs,
  headMs: requestTimes.headMs / 10,
  checkMs: requestTimes.checkMs / 10,
}

const server = await setTestServer()
const quick = await listen(server.app, { host: '127.0.0.1', port: 0 }, times)
const port = Number(new URL(quick.origin).port)
afterAll(async () => {
  quick.server.closeAllConnections()
  await new Promise((resolve) => quick.server.close(resolve))
})

/** A connection that says a piece at a time; `ended` tells what came back and after how long. */
function slowly(pieces: readonly string[], everyMs: number): Promise<{ text: string; ms: number }> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let text = ''
    const waiting = pieces.values()
    let timer: ReturnType<typeof setTimeout> | undefined
    const socket: Socket = connect(port, '127.0.0.1', say)
    function say() {
      const { value, done } = waiting.next()
      if (done) return
      socket.write(value)
      timer = setTimeout(say, everyMs)
    }
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve({ text, ms: performance.now() - startedAt })
    })
  })
}

const head = (length: number) =>
  `POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`
const statusOf = (text: string) => Number(text.split(' ')[1])

describe('a client that takes its time', () => {
  it('is cut sooner when not even its head has come', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `X-Slow-${index}: 1\r\n`)
    const { text, ms } = await slowly(['GET /api/events HTTP/1.1\r\nHost: localhost\r\n', ...lines], times.headMs / 10)
    expect(statusOf(text)).toBe(408)
    expect(ms).toBeLessThan(times.wholeMs)
  })

  it('is cut when its body does not go on', async () => {
    const reading = createServer((request) => void readBody(request, 1000, 50).catch(() => undefined))
    await new Promise<void>((resolve) => reading.listen(0, '127.0.0.1', resolve))
    const socket = connect((reading.address() as AddressInfo).port, '127.0.0.1')
    const closed = once(socket, 'close')
    socket
      .resume()
      .on('error', () => undefined)
      .write(`${head(1000)}{"email":`)
    expect(await closed).toEqual([expect.any(Boolean)])
    reading.close()
  })

  it('is promised 15 s for its head and 15 minutes for all, kept to the second', () => {
    expect(requestTimes).toEqual({ wholeMs: 900_000, headMs: 15_000, checkMs: 1000 })
    const { requestTimeout, headersTimeout, timeout } = quick.server
    expect({ requestTimeout, headersTimeout }).toEqual({ requestTimeout: times.wholeMs, headersTimeout: times.headMs })
    expect(timeout, 'a stream is followed for longer than any request may take').toBe(0)
  })
})

describe('a client that goes away', () => {
  /** What the server writes when it fails or cannot go on. */
  const troubles = () => server.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 40)

  it.each([
    ['in the middle of its body', head(1000) + '{"email":'],
    ['before it is answered', head(2) + '{}'],
    [
      'in the middle of a batch',
      `POST /api/sync/mutations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"account":`,
    ],
    ['before a page has come', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('%s is no trouble of the server', async (_, request) => {
    const before = troubles().length
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(request, () => setTimeout(() => socket[end](), 20)),
        )
        socket.on('error', () => undefined)
        socket.on('close', () => resolve())
      })
    }
    // What comes after it has been dealt with: the server has seen the end of the one before.
    await fetch(`${quick.origin}/readyz`)
    await fetch(`${quick.origin}/readyz`)
    expect(troubles().slice(before)).toEqual([])
  })

  it('is noted for who looks closely, and so is one that was too slow', () => {
    expect(server.log.filter((line) => line.includes('a client went away')).length).toBeGreaterThan(0)
    expect(troubles()).toEqual([])
    expect(server.log.filter((line) => ((JSON.parse(line) as { status?: number }).status ?? 0) >= 500)).toEqual([])
  })
})
