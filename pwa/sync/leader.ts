import { type Candidacy, standForElection, webLocks } from './drain/election.ts'
import { browserTimers } from './queue/store/browser-outbox.ts'

export type LeaderTab = ReturnType<typeof electLeaderTab>

interface LeaderTabTerms {
  readonly name: string
  readonly onElected: () => void
  readonly onLost: () => void
  readonly locks?: Pick<LockManager, 'request'> | undefined
  /** A hidden tab never takes over by itself. */
  readonly isVisible?: () => boolean
}

/** After a browser grants no lock at all, as to a page that is going away. */
const standAgainMs = 5_000
/** After so many unanswered questions the leader is frozen: it holds its lock forever. */
const unansweredLimit = 4

/**
 * Visible tabs ask the leader whether it is alive: it answers also where the browser throttles hidden tabs' timers, in
 * which a lease would expire. Without Web Locks every tab leads for itself.
 */
export function electLeaderTab({
  name,
  onElected,
  onLost,
  locks: manager,
  isVisible = () => document.visibilityState === 'visible',
}: LeaderTabTerms) {
  const locks = webLocks(name, manager)
  const channel = new BroadcastChannel(name)
  let isLeading = false
  let isClosed = false
  let unanswered = 0
  let resign = () => {}

  function lead(): Promise<void> {
    if (isClosed) return Promise.resolve()
    isLeading = true
    onElected()
    return new Promise((resolve) => (resign = resolve))
  }

  async function isLeaderAlive(): Promise<boolean> {
    if (!isVisible()) unanswered = 0
    else if (unanswered >= unansweredLimit) return false
    else {
      unanswered += 1
      channel.postMessage('who leads?')
    }
    return true
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'I lead') unanswered = 0
    else if (isLeading) channel.postMessage('I lead')
  }

  function stand(): Candidacy {
    const mine = standForElection({ locks, timers: browserTimers, isLeaderAlive, lead })
    void mine.ended.then(() => {
      if (isClosed) return
      unanswered = 0
      if (!isLeading) {
        browserTimers.after(standAgainMs, () => {
          if (!isClosed) candidacy = stand()
        })
        return
      }
      isLeading = false
      onLost()
      candidacy = stand()
    })
    return mine
  }
  let candidacy = stand()

  return {
    isLeading: () => isLeading,
    takeOver(): void {
      if (!isLeading && !isClosed) candidacy.takeOver()
    },
    close(): void {
      isClosed = true
      isLeading = false
      channel.close()
      candidacy.withdraw()
      resign()
    },
  }
}
