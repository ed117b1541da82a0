import { timings } from '../browser/timings.ts'
import type { Timers, WakeReason } from './drain/wake.ts'

/** A reason asks the leader to drain. */
export type LeaderMessage = WakeReason | 'who leads?' | 'I lead'

interface LeaderTerms {
  /**
   * Without Web Locks every context leads for itself. What it sends twice happens once, because the keys are the same.
   */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly timers: Timers
  /** Reaches the other pages and the worker of this device. */
  readonly tell: (message: LeaderMessage) => void
  /** A hidden context takes over only when it has something to send. */
  readonly isVisible: () => boolean
}

export interface Member {
  readonly onElected: () => void
  readonly onLost?: () => void
  readonly onAsked?: (reason: WakeReason) => void
}

export type Leader = ReturnType<typeof createLeader>

export const leaderName = 'beaconry-leader'
/** A frozen leader keeps its lock for ever. After this many questions it has been silent for 25 to 30 s. */
const maxUnanswered = 5

/**
 * One context of a device leads, under one Web Lock: it drains the queue, and follows the server if it is a page. The
 * others wait in line and ask it to drain; when it does not answer, they take the lock from it. Two leaders for a
 * moment are harmless.
 */
export function createLeader({ locks, timers, tell, isVisible }: LeaderTerms) {
  const members = new Set<Member>()
  const askers: ((isLeading: boolean) => void)[] = []
  let isLeading = false
  let isCandidate = false
  let isRunning = false
  let steals = false
  let unanswered = 0
  let leave = () => {}
  let cancelQuestion = () => {}

  function answer(): void {
    unanswered = 0
    for (const settle of askers.splice(0)) settle(isLeading)
  }

  function lead(): Promise<void> {
    // It left the line at the very moment.
    if (!isCandidate) return Promise.resolve()
    isLeading = true
    steals = false
    cancelQuestion()
    answer()
    // Those who asked the one before need not take over: the one that is elected drains.
    tell('I lead')
    for (const { onElected } of members) onElected()
    return new Promise((resolve) => (leave = resolve))
  }

  function lose(): void {
    if (!isLeading) return
    isLeading = false
    for (const { onLost } of members) onLost?.()
  }

  function askSometimes(): void {
    cancelQuestion = timers.after(timings.leaderQuestionMs, () => {
      askSometimes()
      if (askers.length === 0 && !isVisible()) unanswered = 0
      else if (unanswered++ < maxUnanswered) tell('who leads?')
      else takeOver()
    })
  }

  async function run(): Promise<void> {
    isRunning = true
    // No context is elected while a question is being asked.
    await Promise.resolve()
    while (isCandidate) {
      const line = new AbortController()
      let wasElected = false
      const body = () => {
        wasElected = true
        return lead()
      }
      leave = () => line.abort()
      askSometimes()
      const held = locks ? locks.request(leaderName, steals ? { steal: true } : { signal: line.signal }, body) : body()
      await held.catch(() => undefined)
      cancelQuestion()
      lose()
      // The browser refuses the lock to a page that is going away.
      const isRefused = !wasElected && !line.signal.aborted
      if (isRefused) await new Promise<void>((resolve) => timers.after(timings.leaderQuestionMs, resolve))
    }
    isRunning = false
  }

  function applyForLead(): void {
    isCandidate = true
    if (!isRunning) void run()
  }

  function takeOver(): void {
    if (isLeading) return
    steals = true
    leave()
    applyForLead()
  }

  return {
    isLeading: () => isLeading,
    takeOver,
    /** Applies for the lead. @returns whether this context leads; false when another one has answered */
    ask(reason: WakeReason): Promise<boolean> {
      applyForLead()
      if (isLeading) return Promise.resolve(true)
      if (!steals) tell(reason)
      return new Promise((resolve) => askers.push(resolve))
    },
    /** Another context has told something. */
    hear(message: LeaderMessage): void {
      if (isLeading && message !== 'I lead') {
        tell('I lead')
        if (message !== 'who leads?') for (const { onAsked } of members) onAsked?.(message)
      } else if (!isLeading && !steals && message === 'I lead') answer()
    },
    /** Gives the lock up, or leaves the line, until something is asked again. */
    resign(): void {
      isCandidate = steals = false
      leave()
      lose()
      answer()
    },
    /** Hears of it without applying for it. */
    watch: (member: Member) => void members.add(member),
    /** Applies for the lead from now on. */
    join(member: Member) {
      members.add(member)
      applyForLead()
      if (isLeading) member.onElected()
      return { isLeading: () => isLeading, takeOver, close: () => void members.delete(member) }
    },
  }
}
