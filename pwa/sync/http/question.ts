import { useEffect } from 'react'

export { isCut, noteCut } from './cut-lists.ts'
import { Refused, Unreachable } from './call.ts'
import { observable, useObservable, type Observable } from '../../browser/observable.ts'
import { reachability } from './reachability.ts'
import { serverNowMs } from './server-time.ts'

/** The server said so at `asOf` (ISO). */
export interface Kept<T> {
  readonly value: T
  readonly asOf: string
}

/** Keeps an answer where it outlives its page or screen. Failures are ignored. */
export interface AnswerCache<T> {
  /** Reads without waiting, for the first paint; `asOf` is missing where the time was not kept. */
  readonly readNow?: () => { readonly value: T; readonly asOf: string | null } | undefined
  readonly read?: () => Promise<Kept<T> | undefined>
  readonly keep?: (kept: Kept<T>) => Promise<void> | void
  readonly forget?: () => Promise<void> | void
}

/** `missing`: the server does not have it; `denied`: this person may not see it. */
export interface Failure {
  readonly kind: 'unreachable' | 'missing' | 'denied' | 'failed'
  readonly reason: string
}

export interface QueryState<T> {
  /** It is null before the first answer, and when the server does not have it. */
  readonly answer: T | null
  /** The server said so at this time (ISO). */
  readonly asOf: string | null
  /** Of the newest attempt; stays while asking again. */
  readonly failure: Failure | null
}

export interface RefetchOptions<T> {
  /** Asks when the page is shown again. */
  readonly visible?: boolean
  /** Asks when the server can be reached again, after a failure only or always. */
  readonly reachable?: 'after failure' | 'always'
  readonly news?: (changed: () => void) => () => void
  /** Waits this long after any of these. Several within that time cause one request; one under way does not count. */
  readonly settleMs?: number
  /** How long after an answer to ask again, by how many times in a row that has been done; null means never. */
  readonly againMs?: (answer: T, tries: number) => number | null
}

export interface Question<T> {
  readonly known: Observable<QueryState<T>>
  readonly isAsking: Observable<boolean>
  /** Never rejects; resolves when the server has answered or cannot. Several at once are one. */
  readonly ask: () => Promise<void>
  /** After a change: a request under way began before it, and another follows. */
  readonly refetch: () => Promise<void>
  /** Takes what the server has just answered to something else. */
  readonly take: (answer: T) => void
  /** @returns a function that ends it */
  readonly follow: (when: RefetchOptions<T>) => () => void
}

export interface QuestionOptions<T> {
  readonly call: (signal: AbortSignal) => Promise<T>
  readonly cache?: AnswerCache<T>
  /** Answers by which the server says that it does not have this: what was known is dropped. */
  readonly missingStatuses?: readonly number[]
  /** It is false once another account is signed in. */
  readonly isWanted?: () => boolean
  /** A request under way is not aborted when the last screen leaves, and its answer is kept. */
  readonly outlivesFollowers?: boolean
}

export function createQuestion<T>({
  call,
  cache = {},
  missingStatuses = [],
  isWanted = () => true,
  outlivesFollowers = false,
}: QuestionOptions<T>): Question<T> {
  const first = cache.readNow?.()
  const known = observable<QueryState<T>>({ answer: first?.value ?? null, asOf: first?.asOf ?? null, failure: null })
  const isAsking = observable(false)
  let leaving = new AbortController()
  let asking: Promise<void> | null = null
  let askingNext: Promise<void> | null = null
  let reading: Promise<void> | undefined
  /** An answer is known, if only that the server does not have it. */
  let isSaid = first !== undefined
  let timesTaken = 0
  const followers = new Set<{ readonly when: RefetchOptions<T> }>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function readKept(): Promise<void> {
    const kept = isSaid ? undefined : await cache.read?.().catch(() => undefined)
    if (kept && !isSaid && isWanted()) known.set({ ...known.get(), answer: kept.value, asOf: kept.asOf })
  }

  function know(answer: T, asOfMs: number): void {
    isSaid = true
    const asOf = new Date(asOfMs).toISOString()
    known.set({ answer, asOf, failure: null })
    onDisk(() => cache.keep?.({ value: answer, asOf }))
  }

  async function askNow({ signal }: AbortController): Promise<void> {
    const takenBefore = timesTaken
    const isOutrun = () => timesTaken !== takenBefore || !isWanted()
    const beganMs = performance.now()
    reading ??= readKept()
    isAsking.set(true)
    try {
      const answer = await call(signal)
      if (signal.aborted || isOutrun()) return
      // An answer is as old as its question. The clock is read now, because the answer may have put it right.
      know(answer, serverNowMs() - (performance.now() - beganMs))
    } catch (error) {
      if (signal.aborted) return
      const failure = failureOf(error, missingStatuses)
      if (failure.kind !== 'missing') await reading
      if (signal.aborted || isOutrun()) return
      if (failure.kind !== 'missing') return known.set({ ...known.get(), failure })
      isSaid = true
      known.set({ answer: null, asOf: null, failure })
      onDisk(() => cache.forget?.())
    } finally {
      if (!signal.aborted) isAsking.set(false)
    }
  }

  /** @param nthTry how many times in a row `againMs` has asked */
  function begin(nthTry = 0): Promise<void> {
    clearTimeout(timer)
    const mine: Promise<void> = askNow(leaving).finally(() => {
      if (asking !== mine) return
      asking = null
      expectNext(nthTry)
    })
    asking = mine
    return mine
  }

  const ask = (): Promise<void> => askingNext ?? asking ?? begin()

  function refetch(): Promise<void> {
    if (!asking) return begin()
    const { signal } = leaving
    askingNext ??= asking.then(() => {
      if (signal.aborted) return
      askingNext = null
      return ask()
    })
    return askingNext
  }

  function expectNext(tries: number): void {
    const { answer, failure } = known.get()
    if (answer === null || failure !== null || askingNext) return
    const waitMs = Math.min(...Array.from(followers, ({ when }) => when.againMs?.(answer, tries) ?? Infinity))
    if (waitMs < Infinity) timer = setTimeout(() => void begin(tries + 1), waitMs)
  }

  function leave(): void {
    clearTimeout(timer)
    if (outlivesFollowers) return
    leaving.abort()
    leaving = new AbortController()
    asking = null
    askingNext = null
    isAsking.set(false)
  }

  const question: Question<T> = {
    known,
    isAsking,
    ask,
    refetch,
    take(answer) {
      if (!isWanted()) return
      timesTaken += 1
      know(answer, serverNowMs())
    },
    follow(when) {
      const follower = { when }
      followers.add(follower)
      const stop = followReasons(when, question)
      void ask()
      return () => {
        stop()
        followers.delete(follower)
        if (followers.size === 0) leave()
      }
    },
  }
  return question
}

function onDisk(work: () => Promise<void> | void): void {
  void (async () => work())().catch(() => undefined)
}

function followReasons<T>(
  { visible = false, reachable, news, settleMs }: RefetchOptions<T>,
  question: Question<T>,
): () => void {
  let settling: ReturnType<typeof setTimeout> | undefined
  function changed(): void {
    if (settleMs === undefined) return void question.ask()
    settling ??= setTimeout(() => {
      settling = undefined
      void question.refetch()
    }, settleMs)
  }
  let before = reachability.get()
  function onReach(): void {
    const was = before
    before = reachability.get()
    if (before !== 'reachable') return
    if (question.known.get().failure !== null || (reachable === 'always' && was === 'unreachable')) changed()
  }
  const onShown = () => {
    if (document.visibilityState === 'visible') changed()
  }
  if (visible) document.addEventListener('visibilitychange', onShown)
  const stops = [reachable && reachability.subscribe(onReach), news?.(changed)]
  return () => {
    clearTimeout(settling)
    if (visible) document.removeEventListener('visibilitychange', onShown)
    for (const stop of stops) stop?.()
  }
}

function failureOf(error: unknown, missingStatuses: readonly number[]): Failure {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof Unreachable) return { kind: 'unreachable', reason }
  if (error instanceof Refused && missingStatuses.includes(error.status)) return { kind: 'missing', reason }
  if (error instanceof Refused && error.status === 403) return { kind: 'denied', reason }
  return { kind: 'failed', reason }
}

export interface Answered<T> extends QueryState<T>, Pick<Question<T>, 'take'> {
  readonly isAsking: boolean
  /** Does what `refetch` does. */
  readonly ask: () => Promise<void>
}

/** @param when the same object at every rendering; null while no newer answer is needed */
export function useAnswer<T>(question: Question<T>, when: RefetchOptions<T> | null): Answered<T> {
  useEffect(() => (when ? question.follow(when) : undefined), [question, when])
  const { known, isAsking, refetch, take } = question
  return { ...useObservable(known), isAsking: useObservable(isAsking), ask: refetch, take }
}
