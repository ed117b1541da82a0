import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { useSession } from '../../device/session/session.ts'
import { useAction } from '../../ui/forms/use-action.ts'
import { recipientsOf, reminderText } from './recipients.ts'
import { needsAttention, queueMessage, useQueuedMessages } from './use-messages.ts'

/** One press writes to every approved Beacon who has not said whether they come. */
export function RemindSilent(props: { event: EventDocument; applications: readonly ApplicationDocument[]; now: Date }) {
  const { event, applications, now } = props
  const userId = useSession().user?.id ?? null
  const [sending, run] = useAction('Not saved')
  const { queued } = useQueuedMessages(event.id)
  const silent = recipientsOf(applications, 'silent', [], event, now)
  const isUnderWay = queued.some(({ entry, args }) => args.audience === 'silent' && !needsAttention(entry))
  // Until the first answer arrives, no one counts as asked.
  const wereAsked = applications.some(({ status, coming }) => status === 'approved' && coming !== undefined)
  if (silent.length === 0 || !wereAsked || hasEnded(event, now)) return null
  if (isUnderWay) return <span>A reminder is on its way.</span>
  const remind = async () => {
    const message = { eventId: event.id, eventName: event.name, audience: 'silent' as const, text: reminderText }
    await queueMessage({ ...message, applicationIds: silent.map(({ id }) => id) }, userId)
  }
  return (
    <button
      type="button"
      disabled={sending}
      className="touch-target no-print cursor-pointer underline underline-offset-4 hover:text-base-content"
      onClick={() => void run(remind)}
    >
      Remind {silent.length === 1 ? 'the one' : `the ${silent.length}`} without an answer
    </button>
  )
}
