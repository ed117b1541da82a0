import { useCallback, useEffect, useMemo, useState } from 'react'
import { serverNow } from '../sync/index.ts'
import { ifAnswered } from '../browser/page-storage.ts'
import { deviceDb } from './device-tables.ts'
import { keepLeftDraft, takeInLeftDrafts, type KeptDraft } from './left-drafts.ts'

export interface Draft<T> {
  /** Fill the form when `ready`. */
  readonly status: 'loading' | 'ready'
  /** It is null when there was nothing, and does not change during typing. */
  readonly found: T | null
  /** It was written at this time (ISO). */
  readonly foundAt: string | null
  /** It is `memory` until the newest write resolves, and `failed` when the disk refused it. */
  readonly kept: 'memory' | 'saved' | 'failed'
  /** Call it on every change: writes are gathered. */
  readonly save: (value: T) => void
  readonly clear: () => Promise<void>
}

const gatherMs = 300

/** The key names account and form, such as `user:7/event/new` or `visitor/apply/12`. */
export function useDraft<T>(key: string): Draft<T> {
  const [loaded, setLoaded] = useState<{ key: string; found: T | null; foundAt: string | null } | null>(null)
  const [kept, setKept] = useState<Draft<T>['kept']>('saved')
  const writer = useMemo(() => draftWriter<T>(key, setKept), [key])

  useEffect(() => {
    void ifAnswered(readDraft<T>(key)).then((draft) =>
      setLoaded({ key, found: draft?.value ?? null, foundAt: draft?.savedAt ?? null }),
    )
    const flush = () => writer.flush()
    const settle = () => {
      flush()
      return writer.settled()
    }
    const leave = () => writer.leave()
    flushes.add(settle)
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', flush)
    return () => {
      flushes.delete(settle)
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [key, writer])

  const clear = useCallback(async () => await ifAnswered(writer.clear()), [writer])
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

/** A form that is left still writes while the next form of its key already reads. */
const writing = new Map<string, Promise<void>>()

/** Reads the draft as the writes under way will leave it. */
export async function readDraft<T>(key: string): Promise<KeptDraft<T> | undefined> {
  await writing.get(key)
  return (await deviceDb.drafts.get(key)) as KeptDraft<T> | undefined
}

const flushes = new Set<() => Promise<void>>()

/** Resolves when every form of this page is on disk or refused. */
export async function flushDrafts(): Promise<void> {
  await Promise.all([...flushes].map((flush) => flush()))
}

export async function countDraftsOf(userId: number): Promise<number> {
  await flushDrafts()
  await takeInLeftDrafts(deviceDb.drafts)
  return await deviceDb.drafts.where('key').startsWith(`user:${userId}/`).count()
}

/** Keeps the newest text in memory until its write resolves. */
export function draftWriter<T>(key: string, onKept: (kept: Draft<T>['kept']) => void) {
  let unwritten: { value: T } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const settled = () => writing.get(key) ?? Promise.resolve()
  const draftOf = (value: T): KeptDraft<T> => ({ key, value, savedAt: serverNow().toISOString() })

  function flush(): void {
    clearTimeout(timer)
    if (!unwritten) return
    const written = unwritten
    writing.set(
      key,
      settled()
        .then(() => deviceDb.drafts.put(draftOf(written.value)))
        .then(() => {
          if (unwritten === written) {
            unwritten = null
            onKept('saved')
          }
        })
        .catch(() => onKept('failed')),
    )
  }

  return {
    save(value: T): void {
      unwritten = { value }
      onKept('memory')
      clearTimeout(timer)
      timer = setTimeout(flush, gatherMs)
    },
    flush,
    settled,
    /** The page is being left, which aborts the write that is under way. */
    leave(): void {
      clearTimeout(timer)
      if (unwritten) keepLeftDraft(draftOf(unwritten.value))
    },
    async clear(): Promise<void> {
      clearTimeout(timer)
      unwritten = null
      const gone = settled()
        .then(() => deviceDb.drafts.delete(key))
        .catch(() => onKept('failed'))
      writing.set(key, gone)
      await gone
      onKept('saved')
    },
  }
}
