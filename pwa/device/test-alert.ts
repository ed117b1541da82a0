import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../api/call.ts'
import { currentSubscription } from './push-alerts.ts'

/** `late`: it has not come in the time that alerts need; if it comes after all, it has `arrived`. */
export type TestAlert =
  | { readonly state: 'none' | 'sending' | 'on-its-way' | 'late' }
  | { readonly state: 'arrived'; readonly afterSeconds: number }

/** Push services take a second or two; a phone that sleeps takes longer. */
const patienceMs = 20_000

/** A real alert to this very device, from the server by way of the push service; its arrival is told by the service worker. */
export function useTestAlert(): {
  readonly test: TestAlert
  /** Rejects with an error whose message can be shown. */
  readonly send: () => Promise<void>
} {
  const [test, setTest] = useState<TestAlert>({ state: 'none' })
  const awaited = useRef<{ testId: string | null; readonly sentAtMs: number; readonly heard: Set<string> } | null>(null)
  const timer = useRef(0)

  const settle = useCallback(() => {
    const waiting = awaited.current
    if (!waiting || waiting.testId === null || !waiting.heard.has(waiting.testId)) return false
    awaited.current = null
    clearTimeout(timer.current)
    const afterSeconds = Math.max(1, Math.round((Date.now() - waiting.sentAtMs) / 1000))
    setTest({ state: 'arrived', afterSeconds })
    return true
  }, [])

  useEffect(() => {
    const hear = ({ data }: MessageEvent<unknown>) => {
      const { type, testId } = (data ?? {}) as { type?: unknown; testId?: unknown }
      if (type !== 'test-alert' || typeof testId !== 'string') return
      awaited.current?.heard.add(testId)
      settle()
    }
    navigator.serviceWorker?.addEventListener('message', hear)
    return () => {
      navigator.serviceWorker?.removeEventListener('message', hear)
      clearTimeout(timer.current)
    }
  }, [settle])

  const send = useCallback(async () => {
    clearTimeout(timer.current)
    const waiting = { testId: null as string | null, sentAtMs: Date.now(), heard: new Set<string>() }
    awaited.current = waiting
    setTest({ state: 'sending' })
    try {
      const endpoint = (await currentSubscription())?.endpoint
      if (endpoint === undefined) throw new Error('Alerts are off on this device. Please turn them on again.')
      waiting.testId = (await call('sendTestAlert', { body: { endpoint } })).testId
    } catch (error) {
      awaited.current = null
      setTest({ state: 'none' })
      throw error
    }
    // It may have been faster than the answer.
    if (settle()) return
    setTest({ state: 'on-its-way' })
    timer.current = window.setTimeout(() => setTest({ state: 'late' }), patienceMs)
  }, [settle])

  return { test, send }
}
