import { QrCode } from 'lucide-react'
import { useId, useState } from 'react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { Button } from '../../ui/button.tsx'
import { useLoadOnPress } from '../../ui/load-on-press.ts'
import type { UnsentApplication } from '../own-application.ts'
import { whyNoCodes } from './codes-work-here.ts'

const reasons = {
  insecure: 'This needs an address that begins with https.',
  old: 'This browser is too old to make a code.',
  keyless: 'This needs the event’s page to have been opened on this device with a network.',
}

const whyNotShown = ({ sealingKey }: PublicEvent) => (sealingKey === undefined ? 'keyless' : whyNoCodes())

export const canBeShown = (event: PublicEvent) => whyNotShown(event) === null

interface ShowToOrganizerProps {
  readonly event: PublicEvent
  readonly application: UnsentApplication
  /** Codes that are being shown stay, as a network that flickers must not take them from the other phone's camera. */
  readonly isOffered: boolean
}

/** Without a network the organizer's phone takes the application along. */
export function ShowToOrganizer({ event, application, isOffered }: ShowToOrganizerProps) {
  const reasonId = useId()
  const [isOpen, setOpen] = useState(false)
  const [CodesDialog, load] = useLoadOnPress(async () => (await import('./codes-dialog.tsx')).CodesDialog)
  if (!isOffered && !isOpen) return null
  const why = whyNotShown(event)
  const show = () => {
    setOpen(true)
    if (!CodesDialog) load()
  }
  return (
    <>
      <Button
        size="large"
        wide
        icon={<QrCode className="size-5" />}
        aria-haspopup="dialog"
        disabled={why !== null}
        aria-describedby={reasonId}
        onClick={show}
      >
        Show to the Organizer
      </Button>
      <p id={reasonId} className="-mt-1 mb-1 text-center text-sm text-muted">
        {why === null ? 'Are they here? Their phone can take your application along.' : reasons[why]}
      </p>
      {CodesDialog && isOpen && event.sealingKey !== undefined && (
        <CodesDialog sealingKey={event.sealingKey} entry={application.entry} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
