import { memo } from 'react'
import { Link } from 'react-router-dom'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { paths } from '../../paths.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { Definition } from '../../ui/definition-list.tsx'

const asideLink = 'inline-flex min-h-11 items-center font-medium underline underline-offset-4 hover:text-signal'

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Where, what for, and what Beacons get. */
export const EventDetails = memo(function EventDetails({ event }: { event: EventDocument }) {
  const place = [event.address, event.city, [event.state, event.zipCode].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
  const items: Definition[] = [
    { term: 'Location', detail: event.location },
    { term: 'Address', detail: place },
    { term: 'Beacon Incentives', detail: event.beaconIncentives },
  ]
  if (event.registrationUrl) {
    items.push({
      term: 'Registration URL',
      detail: (
        <a
          href={event.registrationUrl}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="inline-flex min-h-11 items-center break-all underline underline-offset-4 hover:text-signal"
        >
          {event.registrationUrl}
        </a>
      ),
    })
  }
  items.push({ term: 'Description', detail: event.description })
  return (
    <Card as="section" aria-labelledby="event-details">
      <CardTitle
        id="event-details"
        aside={
          <Link to={paths.event(event.id)} className={asideLink}>
            Public page
          </Link>
        }
      >
        Event Details
      </CardTitle>
      <DefinitionList items={items} />
    </Card>
  )
})

/** Whether e-mail and questions are the event's own or the defaults. */
export const CustomizationStatus = memo(function CustomizationStatus({ event }: { event: EventDocument }) {
  const ownMail = Boolean(event.customBeaconEmailSubject || event.customBeaconEmailBody)
  const own = event.customQuestions.length
  const questions =
    own === 0
      ? 'Default questions only'
      : `${counted(own, 'custom question')}${event.showDefaultQuestions ? '' : ', no default questions'}`
  return (
    <Card as="section" aria-labelledby="customization-status">
      <CardTitle
        id="customization-status"
        aside={
          <Link to={paths.customizeEvent(event.id)} className={asideLink}>
            Change
          </Link>
        }
      >
        Customization
      </CardTitle>
      <DefinitionList
        items={[
          { term: 'Email Templates', detail: ownMail ? 'Custom emails configured' : 'Default emails' },
          {
            term: 'Application Questions',
            detail: own === 0 && !event.showDefaultQuestions ? 'No questions beyond contact details' : questions,
          },
        ]}
      />
    </Card>
  )
})
