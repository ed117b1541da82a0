import { useParams } from 'react-router-dom'
import { formatEventDays, formatTimes } from '#shared/time/date-range.ts'
import { idFrom } from '../paths.ts'
import type { EventRow } from '../sync/index.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useNow } from '../ui/page/use-now.ts'
import { OrganizerEventPage } from './organizer-event-page.tsx'
import { lineNames, lineOf, verdictOf } from './ready/ready-lines.ts'
import { useReadyResult } from './ready/ready-results.ts'
import { ReadyRow } from './ready/ready-row.tsx'
import { resultWords } from './ready/ready-words.ts'
import { ToneGlyph } from './ready/tone-glyph.tsx'
import { useReadyCheck } from './ready/use-ready-check.ts'

/** Whether this device is ready for an event in a hall without a network. */
export function ReadyScreen() {
  return (
    <OrganizerEventPage
      id={idFrom(useParams()['id'])}
      tabTitle="Ready for the floor"
      named
      page={(row) => ({
        width: 'text',
        title: 'Ready for the floor',
        lead: row && [row.event.name, formatEventDays(row.event), formatTimes(row.event)].filter(Boolean).join(' · '),
      })}
    >
      {(row, user) => <ReadyCheck key={row.event.id} row={row} userId={user.id} />}
    </OrganizerEventPage>
  )
}

function ReadyCheck({ row, userId }: { row: EventRow; userId: number }) {
  const kept = useReadyResult(row)
  const { facts: found, isChecking, check } = useReadyCheck(row, userId)
  const facts = found ?? kept?.result?.facts ?? {}
  return (
    <>
      <Card tone="signal">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div className="min-w-0 flex-[1_1_16rem]">
            <Verdict kept={kept} isChecking={isChecking} />
          </div>
          <Button
            size="large"
            className="max-sm:w-full"
            pending={isChecking}
            pendingText="Checking..."
            onClick={() => void check()}
          >
            Check now
          </Button>
        </div>
      </Card>
      <Card padding="none" className="mt-4">
        <ul aria-label="What is checked">
          {lineNames.map((name) => (
            <ReadyRow
              key={name}
              name={name}
              line={lineOf(name, facts)}
              isChecking={isChecking}
              onRepaired={() => void check()}
            />
          ))}
        </ul>
      </Card>
    </>
  )
}

function Verdict({ kept, isChecking }: { kept: ReturnType<typeof useReadyResult>; isChecking: boolean }) {
  const now = useNow()
  const result = kept?.result
  const title = 'flex items-start gap-2 text-xl font-semibold'
  if (isChecking) {
    return (
      <>
        <p className={title}>Checking this device</p>
        <p className="mt-1 text-sm">It takes up to half a minute. Keep this page open.</p>
      </>
    )
  }
  if (!result) {
    return (
      <>
        <p className={title}>{kept === undefined ? 'Reading the last check' : 'Not checked yet'}</p>
        <p className="mt-1 text-sm">
          Check the phone that you take to the door, in the two days before the event, while you have a good network.
        </p>
      </>
    )
  }
  return (
    <>
      <p className={title}>
        <ToneGlyph tone={kept?.stale ? 'amber' : verdictOf(result.facts).tone} className="mt-2" />
        <span>{kept?.stale ? 'Check again' : resultWords(result, now)}</span>
      </p>
      <p className="mt-1 text-sm">
        {kept?.stale
          ? `${resultWords(result, now)}. Since then: ${kept.stale}.`
          : 'The result is for this device, and counts for 12 hours or until something changes.'}
      </p>
    </>
  )
}
