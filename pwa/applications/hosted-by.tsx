import type { PublicEvent } from '#shared/events/event-calls.ts'

const link = 'inline-flex min-h-11 items-center rounded-sm underline decoration-edge underline-offset-4'

export function HostedBy({ event: { name, organizer } }: { event: Pick<PublicEvent, 'name' | 'organizer'> }) {
  if (!organizer) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-muted">
      <span className="min-w-0 break-words">
        Hosted by <strong className="font-semibold text-base-content">{organizer.name}</strong>
      </span>
      {organizer.contactEmail !== null && (
        <a className={link} href={`mailto:${organizer.contactEmail}?subject=${encodeURIComponent(name)}`}>
          Contact the organizer
        </a>
      )}
    </p>
  )
}
