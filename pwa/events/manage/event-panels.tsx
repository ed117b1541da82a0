import { memo } from 'react'
import { Link } from 'react-router-dom'
import { eventCancelledMessage } from '#shared/events/cancellation.ts'
import { eventRecord, pickEventFields } from '#shared/events/event-record.ts'
import { namesOf, type Field } from '#shared/record/record.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { formatDeadline } from '#shared/time/date-range.ts'
import { applicationsAreOpen, applicationsClosedMessage, hasEnded } from '#shared/time/event-time.ts'
import { may } from '../../device/session/acting.ts'
import { useSession } from '../../device/session/session.ts'
import { useAction } from '../../ui/forms/use-action.ts'
import { outbox, mutations } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { DefinitionList, type Definition } from '../../ui/definition-list.tsx'
import { toast } from '../../ui/toast.ts'

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function FactsCard(props: { title: string; link: { to: string; label: string } | null; items: Definition[] }) {
  const { title, link, items } = props
  const aside = link && (
    <Link
      to={link.to}
      className="inline-flex min-h-11 items-center font-medium underline underline-offset-4 hover:text-signal"
    >
      {link.label}
    </Link>
  )
  return (
    <Card title={title} aside={aside}>
      <DefinitionList items={items} />
    </Card>
  )
}

const placed = new Set<keyof typeof eventRecord>(['name', 'location', 'address', 'city', 'description'])

/** Guests read these, too. A new field of the record is added automatically. */
const plainFields = namesOf(eventRecord).filter((name) => {
  const { kind, audience }: Field = eventRecord[name]
  return (kind === 'text' || kind === 'url') && audience === 'anyone' && !placed.has(name)
})

function plainFact(name: keyof typeof eventRecord, text: string): Definition {
  const { kind, label }: Field = eventRecord[name]
  if (kind !== 'url') return { term: label, detail: text }
  return {
    term: label,
    detail: (
      <a
        href={text}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="inline-flex min-h-11 items-center break-all underline underline-offset-4 hover:text-signal"
      >
        {text}
      </a>
    ),
  }
}

export const EventDetails = memo(function EventDetails({ event }: { event: EventDocument }) {
  const place = [event.address, event.city, [event.state, event.zipCode].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
  const told = (['beaconInstructions', 'promoCode'] as const).flatMap((name): Definition[] => {
    const text = event[name]
    return text ? [{ term: eventRecord[name].label, detail: text }] : []
  })
  const items: Definition[] = [
    ...told,
    { term: 'Location', detail: event.location },
    { term: 'Address', detail: place },
    ...plainFields.flatMap((name) => {
      const text = event[name]
      return typeof text === 'string' && text !== '' ? [plainFact(name, text)] : []
    }),
    { term: 'Description', detail: event.description },
  ]
  const isHidden = event.visibility === 'hidden'
  const edit = may('manager') ? { to: paths.editEvent(event.id), label: 'Edit' } : null
  const link = isHidden ? edit : { to: paths.event(event.id), label: 'Public page' }
  return <FactsCard title="Event Details" link={link} items={items} />
})

export const CustomizationStatus = memo(function CustomizationStatus({ event }: { event: EventDocument }) {
  const ownMail = Boolean(event.customBeaconEmailSubject || event.customBeaconEmailBody)
  const own = event.customQuestions.length
  const questions =
    own === 0
      ? 'Default questions only'
      : `${counted(own, 'custom question')}${event.showDefaultQuestions ? '' : ', no default questions'}`
  return (
    <FactsCard
      title="Customization"
      link={{ to: paths.customizeEvent(event.id), label: 'Change' }}
      items={[
        { term: 'Email Templates', detail: ownMail ? 'Custom emails configured' : 'Default emails' },
        {
          term: 'Application Questions',
          detail: own === 0 && !event.showDefaultQuestions ? 'No questions beyond contact details' : questions,
        },
      ]}
    />
  )
})

function stateOf(event: EventDocument, expected: number, now: Date): string {
  const { maxBeacons } = event
  const deadline = formatDeadline(event)
  if (event.takenDown) return 'The event was taken down.'
  if (event.cancelledAt !== undefined) return eventCancelledMessage
  if (event.visibility === 'hidden') return 'The event is not yet public.'
  if (hasEnded(event, now)) return 'The event is over.'
  if (event.applicationsClosed) return 'You closed them by hand.'
  if (deadline !== null && !applicationsAreOpen(event, now)) return `The deadline was ${deadline}.`
  if (maxBeacons !== null && expected >= maxBeacons) return `All ${maxBeacons} places are taken.`
  const limit = maxBeacons === null ? '' : ` ${expected} of ${maxBeacons} places are taken.`
  return deadline === null ? `Open until the event ends.${limit}` : `Open until ${deadline}.${limit}`
}

/** @param props.expected Beacons: approved, and not known to stay away */
export function IntakeCard({ event, expected, now }: { event: EventDocument; expected: number; now: Date }) {
  const userId = useSession().user?.id ?? null
  const [writing, run] = useAction('Update Failed', 'Error: ')
  const isFull = event.maxBeacons !== null && expected >= event.maxBeacons
  const isShown = !event.takenDown && event.cancelledAt === undefined && event.visibility !== 'hidden'
  const isOpen = applicationsAreOpen(event, now) && !isFull && isShown

  async function turn(open: boolean) {
    if (writing) return
    await run(async () => {
      const fields = { ...pickEventFields(event), applicationsClosed: !open }
      await outbox.enqueue(mutations.updateEvent, { id: event.id, fields, basis: event.basis }, { userId })
      toast({ title: 'Event Updated', description: open ? 'People can apply again.' : applicationsClosedMessage })
    })
  }

  return (
    <Card title="Taking Applications">
      {!isOpen && <p className="font-medium">{applicationsClosedMessage}</p>}
      <p className="text-muted">{stateOf(event, expected, now)}</p>
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
