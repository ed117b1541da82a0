import { useCallback, useEffect, useMemo, useState } from 'react'
import { serverNow, storageReady } from '../sync/index.ts'
import { deviceDb } from './device-tables.ts'

/** A form's text as it survives reloads. */
export interface Draft<T> {
  /** `loading` until the disk was asked; fill the form when `ready`. */
  readonly status: 'loading' | 'ready'
  /** What was found on disk; null when there was nothing. Does not change while typing. */
  readonly found: T | null
  /** When what was found had been written (ISO). */
  readonly foundAt: string | null
  /** Where the newest text is: `memory` until its write has resolved, `failed` when the disk refused it. */
  readonly kept: 'memory' | 'saved' | 'failed'
  /** Keeps the form's newest value; call it on every change, writes are gathered. */
  readonly save: (value: T) => void
  /** Forgets the draft, after it was sent or given up. */
  readonly clear: () => Promise<void>
}

const gatherMs = 300

/** The draft of one form. The key names account and form: `user:7/event/new`, `visitor/apply/12`. */
export function useDraft<T>(key: string): Draft<T> {
  const [loaded, setLoaded] = useState<{ key: string; found: T | null; foundAt: string | null } | null>(null)
  const [kept, setKept] = useState<Draft<T>['kept']>('saved')
  const writer = useMemo(() => draftWriter<T>(key, setKept), [key])

  useEffect(() => {
    readDraft<T>(key)
      .then((draft) => setLoaded({ key, found: draft?.value ?? null, foundAt: draft?.savedAt ?? null }))
      .catch(() => setLoaded({ key, found: null, foundAt: null }))
    const flush = () => writer.flush()
    const settle = () => {
      flush()
      return writer.settled()
    }
    flushes.add(settle)
    addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      flushes.delete(settle)
      removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [key, writer])

  const clear = useCallback(() => writer.clear(), [writer])
  const ready = loaded?.key === key ? loaded : null
  return {
    status: ready ? 'ready' : 'loading',
    found: ready?.found ?? null,
    foundAt: ready?.foundAt ?? null,
    kept,
    save: writer.save,
    clear,
  }
}

/** What is kept for a form. */
export async function readDraft<T>(key: string): Promise<{ value: T; savedAt: string } | undefined> {
  return (await deviceDb.drafts.get(key)) as { value: T; savedAt: string } | undefined
}

const flushes = new Set<() => Promise<void>>()

/** Writes what is still gathered in any form of this page; resolves when it is on disk or refused. */
export async function flushDrafts(): Promise<void> {
  await Promise.all([...flushes].map((flush) => flush()))
}

/** How many forms of an account this device keeps the text of, whatever they are for: it stands nowhere else. */
export async function countDraftsOf(userId: number): Promise<number> {
  await flushDrafts()
  return await deviceDb.drafts.where('key').startsWith(`user:${userId}/`).count()
}

/** Gathers a form's changes and writes the newest one; the text stays in memory until its write has resolved. */
export function draftWriter<T>(key: string, onKept: (kept: Draft<T>['kept']) => void) {
  let unwritten: { value: T } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let chain: Promise<void> = Promise.resolve()

  function flush(): void {
    clearTimeout(timer)
    if (!unwritten) return
    const written = unwritten
    chain = chain
      .then(storageReady)
      .then(() => deviceDb.drafts.put({ key, value: written.value, savedAt: serverNow().toISOString() }))
      .then(() => {
        if (unwritten === written) {
          unwritten = null
          onKept('saved')
        }
      })
      .catch(() => onKept('failed'))
  }

  return {
    save(value: T): void {
      unwritten = { value }
      onKept('memory')
      clearTimeout(timer)
      timer = setTimeout(flush, gatherMs)
    },
    flush,
    /** Resolves when everything given so far is on disk or refused. */
    settled: () => chain,
    async clear(): Promise<void> {
      clearTimeout(timer)
      unwritten = null
      chain = chain.then(() => deviceDb.drafts.delete(key)).catch(() => onKept('failed'))
      await chain
      onKept('saved')
    },
  }
}
