import { useState } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { applicationsAreOpen, applicationsClosedMessage, hasEnded } from '#shared/time/event-time.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { eventFieldsOf } from '../../outbox/mutations/event-fields.ts'
import { updateEvent } from '../../outbox/mutations/update-event.ts'
import { outbox } from '../../outbox/outbox.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { toast } from '../../ui/toast.ts'
import { formatMoment } from '../../page/local-time.ts'

/** Why nobody can apply now, or until when they can. */
function stateOf(event: EventDocument, approved: number, now: Date): string {
  const { applicationsCloseAt: closeAt, maxBeacons } = event
  if (hasEnded(event, now)) return 'The event is over.'
  if (event.applicationsClosed) return 'You closed them by hand.'
  if (closeAt !== null && !applicationsAreOpen(event, now)) return `The deadline was ${formatMoment(closeAt, now)}.`
  if (maxBeacons !== null && approved >= maxBeacons) return `All ${maxBeacons} places are taken.`
  const limit = maxBeacons === null ? '' : ` ${approved} of ${maxBeacons} places are taken.`
  return closeAt === null ? `Open until the event ends.${limit}` : `Open until ${formatMoment(closeAt, now)}.${limit}`
}

/** Whether people can apply, why, and the switch that closes it by hand. */
export function IntakeCard({
  event,
  approved,
  now,
  userId,
}: {
  event: EventDocument
  approved: number
  now: Date
  userId: number | null
}) {
  const [writing, setWriting] = useState(false)
  const isFull = event.maxBeacons !== null && approved >= event.maxBeacons
  const isOpen = applicationsAreOpen(event, now) && !isFull

  async function turn(open: boolean) {
    if (writing) return
    setWriting(true)
    try {
      const fields = { ...eventFieldsOf(event), applicationsClosed: !open }
      await outbox.enqueue(updateEvent, { id: event.id, fields, expectedEdition: event.edition }, { userId })
      toast({ title: 'Event Updated', description: open ? 'People can apply again.' : applicationsClosedMessage })
    } catch (error) {
      toast({ title: 'Update Failed', description: `Error: ${saveFailureText(error)}`, variant: 'destructive' })
    } finally {
      setWriting(false)
    }
  }

  return (
    <Card as="section" aria-labelledby="intake">
      <CardTitle id="intake">Taking Applications</CardTitle>
      {!isOpen && <p className="font-medium">{applicationsClosedMessage}</p>}
      <p className="text-muted">{stateOf(event, approved, now)}</p>
      {!hasEnded(event, now) && (
        <div className="mt-2">
          <CheckboxField
            label="People can apply"
            look="switch"
            checked={!event.applicationsClosed}
            onChange={(change) => void turn(change.target.checked)}
          />
        </div>
      )}
    </Card>
  )
}
