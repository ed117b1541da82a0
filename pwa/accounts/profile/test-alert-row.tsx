import { useEffect, useCallback, useRef, useState } from 'react'
import { onTestAlert, requestTestAlert, testAlertTimeoutMs } from '../../device/alerts/test-alert.ts'
import { Button } from '../../ui/button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { toastFailure } from '../../ui/forms/failure-toast.ts'
import { FactRow } from './fact-row.tsx'

/** `late` means that it was not here in time; one that comes after all has `arrived`. */
type TestAlert =
  | { readonly state: 'none' | 'sending' | 'on-its-way' | 'late' }
  | { readonly state: 'arrived'; readonly afterSeconds: number }

function useTestAlert(): {
  readonly test: TestAlert
  /** Rejects with an error whose message can be shown. */
  readonly send: () => Promise<void>
} {
  const [test, setTest] = useState<TestAlert>({ state: 'none' })
  const awaited = useRef<{
    testId: string | null
    readonly sentAtMs: number
    readonly receivedIds: Set<string>
  } | null>(null)
  const timer = useRef(0)

  const settle = useCallback(() => {
    const waiting = awaited.current
    if (!waiting || waiting.testId === null || !waiting.receivedIds.has(waiting.testId)) return false
    awaited.current = null
    clearTimeout(timer.current)
    const afterSeconds = Math.max(1, Math.round((Date.now() - waiting.sentAtMs) / 1000))
    setTest({ state: 'arrived', afterSeconds })
    return true
  }, [])

  useEffect(() => {
    const stop = onTestAlert((testId) => {
      awaited.current?.receivedIds.add(testId)
      settle()
    })
    return () => {
      stop()
      clearTimeout(timer.current)
    }
  }, [settle])

  const send = useCallback(async () => {
    clearTimeout(timer.current)
    const waiting = { testId: null as string | null, sentAtMs: Date.now(), receivedIds: new Set<string>() }
    awaited.current = waiting
    setTest({ state: 'sending' })
    try {
      waiting.testId = await requestTestAlert()
    } catch (error) {
      awaited.current = null
      setTest({ state: 'none' })
      throw error
    }
    // The alert may be faster than the answer.
    if (settle()) return
    setTest({ state: 'on-its-way' })
    timer.current = window.setTimeout(() => setTest({ state: 'late' }), testAlertTimeoutMs)
  }, [settle])

  return { test, send }
}

function textOf(test: TestAlert): string {
  switch (test.state) {
    case 'none':
      return 'See whether alerts reach this device.'
    case 'sending':
    case 'on-its-way':
      return 'On its way…'
    case 'late':
      return 'It has not arrived.'
    case 'arrived':
      return `It arrived after ${test.afterSeconds === 1 ? 'a second' : `${test.afterSeconds} seconds`}.`
  }
}

/** @param isKnown whether the server still lists this device */
export function TestAlertRow({ isKnown, onDone }: { isKnown: boolean; onDone: () => Promise<void> }) {
  const { test, send } = useTestAlert()
  const { state } = test
  const text = textOf(test)
  const isOver = state === 'late' || state === 'arrived'
  useEffect(() => {
    if (!isOver) return
    announce(text)
    void onDone()
  }, [isOver, text, onDone])

  const start = async () => {
    try {
      await send()
    } catch (error) {
      toastFailure('The test alert was not sent', error)
      void onDone()
    }
  }

  return (
    <FactRow
      term="Test"
      action={
        <Button
          variant="secondary"
          pending={state === 'sending' || state === 'on-its-way'}
          pendingText="Waiting for it..."
          onClick={() => void start()}
        >
          Send a Test Alert
        </Button>
      }
    >
      {text}
      {state === 'arrived' && (
        <p className="text-sm text-muted">
          If you did not see it, this device keeps it from you: look at its notification settings and at Do Not Disturb.
        </p>
      )}
      {state === 'late' && <WhatToCheck isKnown={isKnown} />}
    </FactRow>
  )
}

function WhatToCheck({ isKnown }: { isKnown: boolean }) {
  if (!isKnown) {
    return (
      <p className="text-sm text-muted">
        The alert service of your browser no longer knows this device. Turn alerts off and on again.
      </p>
    )
  }
  return (
    <ul className="mt-1 list-disc pl-5 text-sm text-muted">
      <li>The browser: its settings for this site have to allow notifications.</li>
      <li>
        This device: its settings have to let the browser, or the Beaconry app, notify you. Look at battery saving too.
      </li>
      <li>The network: some guest networks block alerts. Try mobile data.</li>
    </ul>
  )
}
