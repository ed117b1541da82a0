import { QrCode } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { Button } from '../../ui/button.tsx'
import { useLoadOnPress } from '../../ui/load-on-press.ts'
import { arrivalsOf } from '../manage/arrivals.ts'

/** On the floor a button is within reach; before that, an entry of the menu is enough. It is null where applications are closed. */
export function scanPlace(event: EventDocument, now: Date): 'button' | 'menu' | null {
  if (hasEnded(event, now) || event.takenDown || event.cancelledAt !== undefined) return null
  return arrivalsOf(event, now).offered ? 'button' : 'menu'
}

/** Takes in the application of a person whose phone has no network. */
export function useScanner(event: EventDocument): { readonly open: () => void; readonly dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false)
  const [ScanDialog, load] = useLoadOnPress(async () => (await import('./scan-dialog.tsx')).ScanDialog)
  return {
    open: () => {
      setOpen(true)
      if (!ScanDialog) load()
    },
    dialog: ScanDialog && isOpen && <ScanDialog event={event} onClose={() => setOpen(false)} />,
  }
}

export function ScanButton({ event, now }: { event: EventDocument; now: Date }) {
  const { open, dialog } = useScanner(event)
  if (scanPlace(event, now) !== 'button') return null
  return (
    <>
      <Button
        variant="secondary"
        icon={<QrCode className="size-4" />}
        aria-haspopup="dialog"
        aria-label="Scan an application"
        onClick={open}
      >
        Scan
      </Button>
      {dialog}
    </>
  )
}
