import { useSyncExternalStore } from 'react'

let said: { text: string; turn: number } = { text: '', turn: 0 }
const listeners = new Set<() => void>()

/** Has a screen reader say a text when it is done speaking. The same text twice is said twice. */
export function announce(text: string): void {
  said = { text, turn: said.turn + 1 }
  for (const listener of listeners) listener()
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Stands once in the app, unseen. Two lines in turn: a screen reader stays silent when a line is set to what it already holds. */
export function LiveRegion() {
  const { text, turn } = useSyncExternalStore(watch, () => said)
  return (
    <div className="sr-only">
      <output>{turn % 2 === 0 ? text : ''}</output>
      <output>{turn % 2 === 1 ? text : ''}</output>
    </div>
  )
}
