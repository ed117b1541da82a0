import { useEffect } from 'react'
import { useTestAlert, type TestAlert } from '../../device/test-alert.ts'
import { Button } from '../../ui/button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { toast } from '../../ui/toast.ts'
import { FactRow } from './fact-row.tsx'

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

/**
 * A real alert to this device, and whether it came.
 * @param isKnown whether the server still has this device on its list
 */
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
      const description = error instanceof Error ? error.message : undefined
      toast({ variant: 'destructive', title: 'The test alert was not sent', description })
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
