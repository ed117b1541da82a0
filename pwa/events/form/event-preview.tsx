import { hostName } from '#shared/accounts/host.ts'
import type { EventFields } from '#shared/events/event.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { useSession } from '../../device/session/session.ts'
import { serverNow } from '../../sync/index.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EventArticle, type FoundBeacons } from '../event-article.tsx'

interface EventPreviewProps {
  readonly fields: EventFields
  readonly saved: EventDocument | undefined
  readonly timeZone: string
  readonly onClose: () => void
}

const nobodyYet: FoundBeacons = {
  answer: [],
  asOf: null,
  failure: null,
  isAsking: false,
  ask: async () => undefined,
  take: () => undefined,
}

/** The public page with what the form holds; nothing in it can be pressed. */
export function EventPreview({ fields, saved, timeZone, onClose }: EventPreviewProps) {
  const { user } = useSession()
  const at = serverNow().toISOString()
  const { coverHash } = saved ?? {}
  const event = {
    ...fields,
    id: saved?.id ?? 0,
    organizerId: user?.id ?? 0,
    ...(user ? { organizer: { name: hostName(user), contactEmail: user.contactEmail ?? null } } : {}),
    timeZone,
    latitude: null,
    longitude: null,
    customQuestions: [],
    showDefaultQuestions: true,
    beaconCount: 0,
    ...(coverHash === undefined ? {} : { coverHash }),
    createdAt: at,
  }
  return (
    <Dialog open onClose={onClose} title="Preview" description="What guests will see. Nothing here is public yet.">
      <div inert>
        <EventArticle event={event} asOf={at} beacons={nobodyYet} isOwn={false} isNarrow />
      </div>
    </Dialog>
  )
}
