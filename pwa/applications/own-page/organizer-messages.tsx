import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { formatMoment } from '../../ui/page/local-time.ts'
import { useNow } from '../../ui/page/use-now.ts'

/** Shows what the organizer wrote to this person, newest first. It is kept on the device with the rest of the page. */
export function OrganizerMessages({ messages }: Pick<OwnApplication, 'messages'>) {
  const now = useNow()
  if (!messages || messages.length === 0) return null
  return (
    <section aria-labelledby="organizer-messages">
      <h2 id="organizer-messages" className="text-lg">
        From the organizer
      </h2>
      <ul className="mt-2 flex flex-col gap-3">
        {messages.map(({ id, text, at }) => (
          <li key={id} className="rounded-box bg-quiet-soft p-4">
            <p className="break-words whitespace-pre-wrap">{text}</p>
            <p className="mt-2 text-sm text-muted">
              <time dateTime={at}>{formatMoment(at, now)}</time>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
