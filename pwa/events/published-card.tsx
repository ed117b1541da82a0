import { Link, useLocation } from 'react-router-dom'
import { type EventRow, mutations } from '../sync/index.ts'
import { ShareRow } from '../applications/share-row.tsx'
import { paths } from '../paths.ts'
import { Card } from '../ui/card.tsx'

/** The history state of a new event's next step has this. */
export const justPublished = { published: true }

type Publication = 'online' | 'waiting' | 'refused'

function publicationOf({ entries }: Pick<EventRow, 'entries'>): Publication {
  const creation = entries.find(({ mutation }) => mutation === mutations.createEvent.name)
  if (!creation || creation.state === 'acknowledged') return 'online'
  return creation.state === 'parked' ? 'refused' : 'waiting'
}

export function PublishedCard({ row }: { readonly row: EventRow }) {
  const { state } = useLocation() as { state: Partial<typeof justPublished> | null }
  if (!state?.published) return null
  const { id, name, visibility } = row.event
  if (visibility === 'hidden') return <HiddenCard />
  const publication = publicationOf(row)
  const path = paths.event(id)
  const short = `${location.host}${path}`
  return (
    <Card
      title={publication === 'online' ? 'Your event is online' : 'Your event is saved on this device'}
      tone={publication === 'online' ? 'signal' : 'plain'}
      className="mb-6"
    >
      <p className="text-muted">
        {publication === 'online' && 'Guests and Beacons find it here:'}
        {publication === 'waiting' && 'It is online as soon as it has been sent. Its link will then be:'}
        {publication === 'refused' && (
          <>
            The server did not accept it.{' '}
            <Link to={paths.sync} className="font-medium underline underline-offset-4">
              See what it needs
            </Link>
            . Its link will then be:
          </>
        )}
      </p>
      <p className="mt-1 mb-2 font-medium break-all">
        {publication === 'online' ? (
          <Link to={path} className="underline underline-offset-4">
            {short}
          </Link>
        ) : (
          short
        )}
      </p>
      <ShareRow shared={{ title: name, path }} />
    </Card>
  )
}

function HiddenCard() {
  return (
    <Card title="Your event is saved" className="mb-6">
      <p className="text-muted">It is not yet public: only you see it. You make it public when you are ready.</p>
    </Card>
  )
}
