import { pickEventFields } from '#shared/events/event-record.ts'
import { useState } from 'react'
import type { EventFields } from '#shared/events/event.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { useSession } from '../../device/session/session.ts'
import { outbox, mutations } from '../../sync/index.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { useLoadOnPress } from '../../ui/load-on-press.ts'
import { toast } from '../../ui/toast.ts'
import { visibilityWords } from './visibility-words.ts'

const explanations = {
  hidden: 'Guests cannot find it, and no one can apply.',
  unlisted: 'Only people with the link find it: it is in no list and no search.',
}

/** Says who cannot see the event, and makes it public with one press. */
export function VisibilityNotice({ event }: { event: EventDocument }) {
  const userId = useSession().user?.id ?? null
  const [writing, run] = useAction('Update Failed', 'Error: ')
  const [previewing, setPreviewing] = useState(false)
  const [EventPreview, loadPreview] = useLoadOnPress(
    async () => (await import('../form/event-preview.tsx')).EventPreview,
  )
  const { visibility } = event
  if (visibility !== 'hidden' && visibility !== 'unlisted') return null

  async function makePublic() {
    await run(async () => {
      const fields: EventFields = { ...pickEventFields(event), visibility: null }
      await outbox.enqueue(mutations.updateEvent, { id: event.id, fields, basis: event.basis }, { userId })
      toast({ title: 'Event Updated', description: 'Everyone can find it now.' })
    })
  }

  return (
    <>
      <Alert
        className="no-print mt-3"
        variant="quiet"
        title={visibilityWords[visibility]}
        action={
          <>
            {visibility === 'hidden' && (
              <Button
                variant="secondary"
                size="small"
                onClick={() => {
                  setPreviewing(true)
                  loadPreview()
                }}
              >
                Preview
              </Button>
            )}
            <Button size="small" pending={writing} pendingText="Saving..." onClick={() => void makePublic()}>
              Make Public
            </Button>
          </>
        }
      >
        {explanations[visibility]}
      </Alert>
      {previewing && EventPreview && (
        <EventPreview
          fields={pickEventFields(event)}
          saved={event}
          timeZone={event.timeZone}
          onClose={() => setPreviewing(false)}
        />
      )}
    </>
  )
}
