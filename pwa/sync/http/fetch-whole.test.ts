import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchWhole } from './fetch-whole.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A network on which a piece comes after each of these waits, and then nothing unless the answer `ends`. */
function network(waitsMs: readonly number[], ends: boolean) {
  vi.stubGlobal('fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
      async pull(controller) {
        const wait = waitsMs[at++]
        if (wait === undefined) return ends ? controller.close() : await new Promise(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, wait))
        if (!signal.aborted) controller.enqueue(new TextEncoder().encode('x'))
      },
    })
    return new Response(body)
  })
}

it('waits for an answer that moves, however long it takes', async () => {
  network([15_000, 19_000, 15_000, 19_000], true)
  const answer = fetchWhole('/api/sync')
  await vi.advanceTimersByTimeAsync(70_000)
  expect(new TextDecoder().decode((await answer).body)).toBe('xxxx')
})

it('gives up an answer in which nothing moved for 20 s', async () => {
  network([15_000, 15_000], false)
  const failure = fetchWhole('/api/sync').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(49_000)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await failure).toMatchObject({ message: 'Nothing came for 20 s' })
})

it('gives up an answer over which the device slept', async () => {
  network([1000, 1000], true)
  const failure = fetchWhole('/api/sync').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(500)
  vi.setSystemTime(Date.now() + 3_600_000)
  await vi.advanceTimersByTimeAsync(2000)
  expect(await failure).toMatchObject({ message: 'Nothing came for 20 s' })
})

it('ends with the reason of the caller', async () => {
  network([], false)
  const leaving = new AbortController()
  const failure = fetchWhole('/api/sync', { signal: leaving.signal }).catch((error: unknown) => error)
  leaving.abort(new Error('left'))
  expect(await failure).toMatchObject({ message: 'left' })
})

it('is as patient as its caller', async () => {
  network([], false)
  const failure = fetchWhole('/api/login', {}, () => undefined, 60_000).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(await Promise.race([failure, Promise.resolve('still waiting')])).toBe('still waiting')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await failure).toMatchObject({ message: 'Nothing came for 60 s' })
})
