import { useSyncExternalStore } from 'react'

export interface Observable<T> {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}

export function observable<T>(first: T): Observable<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return
      value = next
      for (const listener of Array.from(listeners)) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** What is read in a browser is also read where a test draws a screen as text. */
export function useObservable<T>(source: Observable<T>): T {
  return useSyncExternalStore(source.subscribe, source.get, source.get)
}
