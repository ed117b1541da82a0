import type { ReactNode } from 'react'

const shownAtOnce = 1
const removeAfterMs = 1_000_000

export interface ToastOptions {
  title: ReactNode
  description?: ReactNode | undefined
  variant?: 'plain' | 'destructive' | undefined
  action?: { label: string; onClick: () => void } | undefined
}

export interface ShownToast extends ToastOptions {
  id: number
  open: boolean
}

let toasts: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function publish(next: readonly ShownToast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** A new message replaces the one in sight. */
export function toast(options: ToastOptions): { id: number; dismiss: () => void } {
  lastId += 1
  const id = lastId
  publish([{ ...options, id, open: true }, ...toasts].slice(0, shownAtOnce))
  return { id, dismiss: () => dismissToast(id) }
}

/** The message leaves the list after 1,000,000 ms, long after its exit is drawn. */
export function dismissToast(id: number): void {
  if (!toasts.some((shown) => shown.id === id && shown.open)) return
  publish(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)))
  setTimeout(() => publish(toasts.filter((shown) => shown.id !== id)), removeAfterMs)
}

export function currentToasts(): readonly ShownToast[] {
  return toasts
}

export function watchToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
