import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Broken, Refused, Unreachable } from './call.ts'
import { createQuestion, type Kept, type QuestionOptions } from './question.ts'
import { reachability } from './reachability.ts'

vi.mock(import('./server-time.ts'), async (original) => ({ ...(await original()), serverNowMs: () => Date.now() }))

const start = Date.parse('2026-11-21T10:00:00Z')
const at = (ms: number) => new Date(start + ms).toISOString()
const refused = (status: number) =>
  new Refused(status, { code: 'not_found', message: 'It is not here', requestId: 'r' }, null)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

interface Asked {
  readonly answer: (text: string) => Promise<void>
  readonly fail: (error: Error) => Promise<void>
  readonly signal: AbortSignal
}
let asked: Asked[]

/** A question whose answers the test gives, and everything it has kept. */
function ask(options: Omit<QuestionOptions<string>, 'call'> = {}) {
  const question = createQuestion<string>({
    call: (signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        asked.push({
          signal,
          answer: async (text) => {
            resolve(text)
            await pass(0)
          },
          fail: async (error) => {
            reject(error)
            await pass(0)
          },
        })
      }),
    ...options,
  })
  return { ...question, get: () => ({ ...question.known.get(), isAsking: question.isAsking.get() }) }
}

/** A cache on a slow disk, opened by the test. */
function slowDisk() {
  const kept: Kept<string>[] = []
  let open: (found: Kept<string> | undefined) => void = () => undefined
  return {
    kept,
    forgotten: vi.fn(),
    found: async (found: Kept<string> | undefined) => {
      open(found)
      await pass(0)
    },
    cache() {
      return {
        read: () => new Promise<Kept<string> | undefined>((resolve) => (open = resolve)),
        keep: (next: Kept<string>) => void kept.push(next),
        forget: this.forgotten,
      }
    },
  }
}

beforeEach(() => {
  asked = []
  reachability.set('unknown')
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('asking', () => {
  it('several times at once is one request, and what has changed meanwhile is one more', async () => {
    const question = ask()
    const first = question.ask()
    expect(question.get()).toMatchObject({ answer: null, isAsking: true })
    void question.ask()
    const after = question.refetch()
    void question.refetch()
    void question.ask()
    expect(asked).toHaveLength(1)
    await asked[0]!.answer('before the change')
    await first
    expect(asked).toHaveLength(2)
    expect(question.get()).toMatchObject({ answer: 'before the change', isAsking: true })
    await asked[1]!.answer('after it')
    await after
    expect(asked).toHaveLength(2)
    expect(question.get()).toMatchObject({ answer: 'after it', isAsking: false, failure: null })
  })

  it('dates the answer by its question', async () => {
    const question = ask()
    void question.ask()
    await pass(4_000)
    await asked[0]!.answer('slowly')
    expect(question.get().asOf).toBe(at(0))
  })

  it('keeps what was known when it fails, and says why until it is known anew', async () => {
    const question = ask()
    void question.ask()
    await asked[0]!.answer('old')
    await pass(60_000)
    for (const [error, kind] of [
      [new Unreachable(), 'unreachable'],
      [refused(403), 'denied'],
      [refused(404), 'failed'],
      [new Broken(500, 'odd'), 'failed'],
    ] as const) {
      void question.ask()
      await asked.at(-1)!.fail(error)
      expect(question.get()).toEqual({
        answer: 'old',
        asOf: at(0),
        isAsking: false,
        failure: { kind, reason: error.message },
      })
    }
    void question.ask()
    expect(question.get(), 'while it is asked again').toMatchObject({ isAsking: true, failure: { kind: 'failed' } })
    await asked.at(-1)!.answer('new')
    expect(question.get()).toMatchObject({ answer: 'new', asOf: at(60_000), failure: null })
  })

  it('forgets what the server does not have, where that is what it means', async () => {
    const disk = slowDisk()
    const question = ask({ cache: disk.cache(), missingStatuses: [404] })
    void question.ask()
    await asked[0]!.fail(refused(404))
    expect(question.get()).toMatchObject({ answer: null, asOf: null, failure: { kind: 'missing' } })
    expect(disk.forgotten).toHaveBeenCalledTimes(1)
    await disk.found({ value: 'kept', asOf: at(-9) })
    expect(question.get().answer, 'what the disk still has is out of date').toBeNull()
  })
})

describe('an answer that comes late', () => {
  it('does not take the place of what the server has said to a change since', async () => {
    const disk = slowDisk()
    const question = ask({ cache: disk.cache() })
    void question.ask()
    await pass(1_000)
    question.take('changed')
    await asked[0]!.answer('as it was before')
    expect(question.get()).toEqual({ answer: 'changed', asOf: at(1_000), isAsking: false, failure: null })
    void question.ask()
    question.take('changed again')
    await asked[1]!.fail(new Unreachable())
    expect(question.get()).toMatchObject({ answer: 'changed again', failure: null })
    expect(disk.kept.map(({ value }) => value)).toEqual(['changed', 'changed again'])
  })

  it('is neither shown nor kept once somebody else is signed in', async () => {
    let account = 1
    const disk = slowDisk()
    const question = ask({ cache: disk.cache(), isWanted: () => account === 1 })
    void question.ask()
    account = 2
    await disk.found({ value: 'kept for the first', asOf: at(-9) })
    await asked[0]!.answer('about the first')
    question.take('about the first')
    expect(question.get()).toEqual({ answer: null, asOf: null, isAsking: false, failure: null })
    expect(disk.kept).toEqual([])
  })

  it('is given up when nobody looks any more, and the next look asks anew', async () => {
    const question = ask()
    const stop = question.follow({})
    void question.refetch()
    stop()
    expect([asked[0]!.signal.aborted, question.get().isAsking]).toEqual([true, false])
    await pass(0)
    expect(asked).toHaveLength(1)
    const stopAgain = question.follow({})
    await asked[0]!.answer('to the first look')
    await asked[1]!.answer('to the second')
    expect(question.get().answer).toBe('to the second')
    stopAgain()
  })

  it('is kept all the same where it goes on', async () => {
    const disk = slowDisk()
    const question = ask({ cache: disk.cache(), outlivesFollowers: true })
    question.follow({})()
    await asked[0]!.answer('for the next visit')
    expect(disk.kept).toEqual([{ value: 'for the next visit', asOf: at(0) }])
  })
})

describe('what is kept on this device', () => {
  it('is there before anybody asks, where it need not be waited for', () => {
    const question = ask({ cache: { readNow: () => ({ value: 'kept', asOf: null }) } })
    expect(question.get()).toEqual({ answer: 'kept', asOf: null, isAsking: false, failure: null })
  })

  it('is shown until the server answers, and not after', async () => {
    const [quick, slow] = [slowDisk(), slowDisk()]
    const first = ask({ cache: quick.cache() })
    void first.ask()
    await quick.found({ value: 'kept', asOf: at(-9) })
    expect(first.get()).toEqual({ answer: 'kept', asOf: at(-9), isAsking: true, failure: null })
    const second = ask({ cache: slow.cache() })
    void second.ask()
    await asked[1]!.answer('new')
    await slow.found({ value: 'kept', asOf: at(-9) })
    expect(second.get()).toMatchObject({ answer: 'new', asOf: at(0) })
  })

  it('is waited for before anything is said to be unreachable', async () => {
    const disk = slowDisk()
    const question = ask({ cache: disk.cache() })
    void question.ask()
    await asked[0]!.fail(new Unreachable())
    expect(question.get()).toMatchObject({ answer: null, isAsking: true, failure: null })
    await disk.found({ value: 'kept', asOf: at(-9) })
    expect(question.get()).toMatchObject({ answer: 'kept', asOf: at(-9), failure: { kind: 'unreachable' } })
  })

  it('is of no consequence when the disk fails', async () => {
    const broken = () => Promise.reject(new Error('disk'))
    const question = ask({ cache: { read: broken, keep: broken, forget: broken }, missingStatuses: [404] })
    void question.ask()
    await asked[0]!.answer('new')
    expect(question.get()).toMatchObject({ answer: 'new', failure: null })
    void question.ask()
    await asked[1]!.fail(refused(404))
    expect(question.get()).toMatchObject({ answer: null, failure: { kind: 'missing' } })
  })
})

describe('asking again while somebody looks', () => {
  it('waits without a network and asks once there is one', async () => {
    const question = ask()
    const stop = question.follow({ reachable: 'after failure' })
    reachability.set('unreachable')
    await asked[0]!.fail(new Unreachable())
    await pass(3_600_000)
    expect(asked, 'nobody asks over and over').toHaveLength(1)
    reachability.set('reachable')
    expect(asked).toHaveLength(2)
    await asked[1]!.answer('new')
    reachability.set('unreachable')
    reachability.set('reachable')
    expect(asked, 'nothing has failed').toHaveLength(2)
    stop()
  })

  it('asks always when there is a network again, if wished, and not for its own answer', async () => {
    const question = ask()
    const stop = question.follow({ reachable: 'always' })
    reachability.set('reachable')
    await asked[0]!.answer('first')
    expect(asked).toHaveLength(1)
    reachability.set('unreachable')
    reachability.set('reachable')
    expect(asked).toHaveLength(2)
    stop()
    await pass(0)
    reachability.set('unreachable')
    reachability.set('reachable')
    expect(asked).toHaveLength(2)
  })

  it('asks when the page is shown again, and not when it is hidden', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
    vi.stubGlobal('document', page)
    const question = ask()
    const stop = question.follow({ visible: true })
    await asked[0]!.answer('first')
    page.dispatchEvent(new Event('visibilitychange'))
    expect(asked).toHaveLength(1)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    expect(asked).toHaveLength(2)
    await asked[1]!.answer('second')
    stop()
    page.dispatchEvent(new Event('visibilitychange'))
    expect(asked).toHaveLength(2)
  })

  it('asks once for much news that comes together, and not once no screen looks', async () => {
    const question = ask()
    let changed = () => {}
    const news = (told: () => void) => {
      changed = told
      return () => undefined
    }
    const stop = question.follow({ settleMs: 500, news })
    await asked[0]!.answer('first')
    for (let change = 0; change < 20; change++) changed()
    await pass(600)
    expect(asked).toHaveLength(2)
    changed()
    await pass(600)
    await asked[1]!.answer('from before the last news')
    await asked[2]!.answer('third')
    changed()
    stop()
    await pass(60_000)
    expect(asked).toHaveLength(3)
  })

  it('goes on for one reader when another leaves', async () => {
    const question = ask()
    const when = { reachable: 'always' } as const
    const [stop, stopOther] = [question.follow(when), question.follow(when)]
    expect(asked).toHaveLength(1)
    stop()
    await asked[0]!.answer('for the other')
    reachability.set('unreachable')
    reachability.set('reachable')
    expect(asked).toHaveLength(2)
    stopOther()
  })

  it('asks when the answer itself gives reason to, as long as it does and somebody looks', async () => {
    const question = ask()
    const tried: number[] = []
    const stop = question.follow({
      againMs: (answer, tries) => {
        tried.push(tries)
        return answer === 'done' ? null : 1_000
      },
    })
    await asked[0]!.answer('not yet')
    await pass(999)
    expect(asked).toHaveLength(1)
    await pass(1)
    await asked[1]!.answer('not yet')
    await pass(1_000)
    await asked[2]!.answer('done')
    await pass(60_000)
    expect([asked.length, tried]).toEqual([3, [0, 1, 2]])
    void question.ask()
    await asked[3]!.answer('not yet')
    expect(tried.at(-1), 'a new look begins anew').toBe(0)
    stop()
    await pass(60_000)
    expect(asked).toHaveLength(4)
  })
})
