import { readText, writeText } from '../browser/browser-storage.ts'
import { observable, useObservable } from '../browser/observable.ts'

export type ThemeChoice = 'light' | 'dark' | 'system'

/** Specification, section 4; index.html reads it before the first paint. */
const storageKey = 'theme'
const choice = observable<ThemeChoice>(readChoice())

function readChoice(): ThemeChoice {
  const kept = readText(storageKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

const deviceIsDark = () => matchMedia('(prefers-color-scheme: dark)').matches

function paint(): void {
  const dark = choice.get() === 'dark' || (choice.get() === 'system' && deviceIsDark())
  document.documentElement.dataset['theme'] = dark ? 'beaconry-dark' : 'beaconry'
}

function choose(next: ThemeChoice): void {
  writeText(storageKey, next)
  choice.set(next)
  paint()
}

/** Follows the device's setting and other tabs, too. The start calls it once. */
export function followTheme(): void {
  paint()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint)
  addEventListener('storage', (event) => {
    if (event.key !== storageKey && event.key !== null) return
    choice.set(readChoice())
    paint()
  })
}

export function useTheme(): { readonly choice: ThemeChoice; readonly choose: (next: ThemeChoice) => void } {
  return { choice: useObservable(choice), choose }
}
