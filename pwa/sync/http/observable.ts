import { useSyncExternalStore } from 'react'

/** A value outside React that notifies its listeners when it changes. */
export interface Observable<T> {
  get(): T
  set(next: T): void
  /** Calls back after every change; returns how to stop. */
  subscribe(listener: () => void): () => void
}

/** A new observable. Setting the very same value again notifies no listener. */
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

/** An observable's value, painted again when it changes. */
export function useObservable<T>(source: Observable<T>): T {
  return useSyncExternalStore(source.subscribe, source.get)
}
