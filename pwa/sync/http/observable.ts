import { useSyncExternalStore } from 'react'

export interface Observable<T> {
  get(): T
  set(next: T): void
  /** @returns a function that ends the calling back */
  subscribe(listener: () => void): () => void
}

/** Setting the very same value again notifies no listener. */
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

export function useObservable<T>(source: Observable<T>): T {
  return useSyncExternalStore(source.subscribe, source.get)
}
