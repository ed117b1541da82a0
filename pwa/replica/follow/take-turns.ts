/** Which tab follows the server: one of those that are open. */
export interface Turns {
  isLeading(): boolean
  /** This tab follows from now on, whoever did before. */
  take(): void
  close(): void
}

interface TurnTerms {
  /** Tabs that take turns with each other share it. */
  readonly name: string
  /** Called again whenever this tab's turn comes. */
  readonly onTurn: () => void
  /** Another tab took the turn away. */
  readonly onLost: () => void
  /** Undefined where the browser has none: then every tab follows for itself. */
  readonly locks?: Pick<LockManager, 'request'> | undefined
  /** A tab that nobody looks at is content with what others do. */
  readonly isVisible?: () => boolean
}

const askEveryMs = 5_000
/** So often asked in vain, the leading tab is taken for frozen: it holds its lock for ever and follows nothing. */
const askedInVain = 4

/**
 * One of the open tabs leads, under a lock that falls to the next one when it goes. Visible tabs ask it whether it lives (it
 * answers messages also where the browser holds back the timers of hidden tabs), and take the turn when it says nothing.
 */
export function takeTurns({
  name,
  onTurn,
  onLost,
  locks = navigator.locks,
  isVisible = () => document.visibilityState === 'visible',
}: TurnTerms): Turns {
  const channel = new BroadcastChannel(name)
  let leading = false
  let closed = false
  let unanswered = 0
  let letGo = () => {}
  let waiting = new AbortController()

  function lead(): Promise<void> {
    if (closed) return Promise.resolve()
    leading = true
    onTurn()
    return new Promise((resolve) => (letGo = resolve))
  }

  async function stand(steal: boolean): Promise<void> {
    waiting.abort()
    const mine = new AbortController()
    waiting = mine
    if (!locks) return lead()
    await locks.request(name, steal ? { steal } : { signal: mine.signal }, lead).catch(() => undefined)
    if (mine !== waiting || closed) return
    unanswered = 0
    if (leading) {
      leading = false
      onLost()
    }
    await stand(false)
  }

  const take = () => {
    if (!leading && !closed) void stand(true)
  }
  const ask = () => {
    if (leading || !isVisible()) unanswered = 0
    else if (unanswered >= askedInVain) take()
    else {
      unanswered += 1
      channel.postMessage('who leads?')
    }
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'I lead') unanswered = 0
    else if (leading) channel.postMessage('I lead')
  }
  const asking = setInterval(ask, askEveryMs)
  void stand(false)

  return {
    isLeading: () => leading,
    take,
    close() {
      closed = true
      leading = false
      clearInterval(asking)
      channel.close()
      waiting.abort()
      letGo()
    },
  }
}
