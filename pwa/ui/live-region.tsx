import { useSyncExternalStore } from 'react'

let said: { text: string; turn: number } = { text: '', turn: 0 }
const listeners = new Set<() => void>()

/** Speaks after a screen reader's present speech. The same text twice is read twice. */
export function announce(text: string): void {
  said = { text, turn: said.turn + 1 }
  for (const listener of listeners) listener()
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The app has one. It uses two lines in turn, because a line that is set to its present text is not read. */
export function LiveRegion() {
  const { text, turn } = useSyncExternalStore(watch, () => said)
  return (
    <div className="sr-only">
      <output>{turn % 2 === 0 ? text : ''}</output>
      <output>{turn % 2 === 1 ? text : ''}</output>
    </div>
  )
}
