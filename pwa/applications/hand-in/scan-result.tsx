import { useEffect, useRef } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink, ButtonRow } from '../../ui/button.tsx'
import { Illustration, type IllustrationName } from '../../ui/illustration.tsx'
import { SyncLabel } from '../../ui/status-badge.tsx'
import type { HandedIn } from './hand-in.ts'

interface ScanResultProps {
  readonly event: EventDocument
  readonly done: HandedIn
  readonly onAgain: () => void
  readonly onClose: () => void
}

const illustrations: Record<HandedIn['outcome'], IllustrationName> = {
  added: 'sent',
  here: 'beacons',
  applied: 'beacons',
  refused: 'lost',
}

const words: Record<HandedIn['outcome'], (event: string) => string> = {
  added: (event) => `has applied for ${event} and is waiting for your decision.`,
  here: () => 'is in your list already.',
  applied: () => 'has already applied with this email address.',
  refused: () => 'was scanned before, and the server did not accept the application.',
}

export function ScanResult({ event, done: { outcome, name }, onAgain, onClose }: ScanResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that had the focus may be gone.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col items-center text-center">
      <Illustration name={illustrations[outcome]} className="mb-4 h-28 w-42" />
      <h3 ref={heading} tabIndex={-1} className="text-2xl [overflow-wrap:anywhere]">
        {name}
      </h3>
      <p className="mt-1 max-w-md text-muted">{words[outcome](event.name)}</p>
      {outcome === 'added' && (
        <p className="mt-3">
          <SyncLabel state="on-this-phone" detail="it will be sent automatically" />
        </p>
      )}
      <div className="mt-6">
        <ButtonRow>
          {outcome === 'refused' && (
            <ButtonLink to={paths.sync} variant="secondary">
              See What Needs Attention
            </ButtonLink>
          )}
          <Button variant="secondary" onClick={onAgain}>
            Scan Another
          </Button>
          <Button onClick={onClose}>Done</Button>
        </ButtonRow>
      </div>
    </div>
  )
}
