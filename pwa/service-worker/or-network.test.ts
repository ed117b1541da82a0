import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { orNetwork } from './or-network.ts'

const request = new Request('https://beaconry.example/auth')
const asked = vi.fn<() => Promise<Response>>()

beforeEach(() => {
  vi.useFakeTimers()
  asked.mockReset().mockImplementation(async () => new Response('from the network'))
  vi.stubGlobal('fetch', asked)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** What a route answers, once it does. */
function answerOf(read: () => Promise<Response>): { text?: string } {
  const answer: { text?: string } = {}
  orNetwork(read)({ request }).then(
    async (response) => (answer.text = await response.text()),
    (error: Error) => (answer.text = error.message),
  )
  return answer
}
const never = () => new Promise<never>(() => undefined)

describe('a file of the app', () => {
  it('comes from the cache, and the network is not asked, then or later', async () => {
    const answer = answerOf(async () => new Response('from the cache'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(answer.text).toBe('from the cache')
    expect(asked).not.toHaveBeenCalled()
  })

  it('comes from the network where the cache has not answered for 3 s', async () => {
    const answer = answerOf(never)
    await vi.advanceTimersByTimeAsync(2_900)
    expect(asked).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    expect(answer.text).toBe('from the network')
    expect(asked).toHaveBeenCalledExactlyOnceWith(request)
  })

  it('is waited for without a network', async () => {
    asked.mockRejectedValue(new TypeError('Failed to fetch'))
    const answer = answerOf(
      () => new Promise((resolve) => setTimeout(() => resolve(new Response('from the cache')), 20_000)),
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect(answer.text).toBeUndefined()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(answer.text).toBe('from the cache')
  })

  it('that the cache cannot give fails at once: the network was asked for it', async () => {
    const answer = answerOf(async () => Promise.reject(new Error('not there')))
    await vi.advanceTimersByTimeAsync(0)
    expect(answer.text).toBe('not there')
    expect(asked).not.toHaveBeenCalled()
  })
})
