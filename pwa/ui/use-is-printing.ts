import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isPrinting = false

function listenToPrinter(tell: () => void): () => void {
  const listening = new AbortController()
  for (const [name, now] of Object.entries({ beforeprint: true, afterprint: false })) {
    const turn = () => {
      isPrinting = now
      // A script that calls `print()` lets nothing run between this listener and the paper.
      flushSync(tell)
    }
    addEventListener(name, turn, listening)
  }
  return () => listening.abort()
}

/** Whether the page is being put on paper, which shows what is rendered before the listeners have returned. */
export function useIsPrinting(): boolean {
  const read = () => isPrinting
  return useSyncExternalStore(listenToPrinter, read, read)
}
