import { useSyncExternalStore } from 'react'
import { serverNowMs } from '../api/server-time.ts'
import { leavesIn } from './mail-log-words.ts'

const secondMs = 1000
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all that wait: a hundred held mails are one timer. */
function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  timer ??= setInterval(() => watchers.forEach((each) => each()), secondMs)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const secondsNow = () => Math.floor(serverNowMs() / secondMs)

/** "Leaves in 42 s", true to the second by the server's clock; paints nothing but itself. */
export function MailCountdown({ sendAt, aheadMs, again }: { sendAt: string; aheadMs: number; again: boolean }) {
  const now = useSyncExternalStore(watch, secondsNow) * secondMs
  return (
    <span className="tabular-nums">{leavesIn(Date.parse(sendAt) - aheadMs - now, sendAt, new Date(now), again)}</span>
  )
}
