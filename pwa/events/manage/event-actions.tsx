import {
  CopyPlus,
  Download,
  Ellipsis,
  ExternalLink,
  Pencil,
  Printer,
  QrCode,
  SlidersHorizontal,
  Trash2,
} from 'lucide-react'
import { memo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { serverNow } from '../../api/server-time.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { fallingWithEvent } from '../../outbox/mutations/event-order.ts'
import { deleteEvent } from '../../outbox/mutations/delete-event.ts'
import { outbox } from '../../outbox/outbox.ts'
import { paths } from '../../paths.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { pendingEntries } from '../../replica/view/pending-entries.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DropdownMenu } from '../../ui/dropdown-menu.tsx'
import type { MenuEntry } from '../../ui/dropdown-menu.tsx'
import { toast } from '../../ui/toast.ts'
import { applicationsCsv, csvFileName } from '../../applications/manage/applications-csv.ts'

const icon = 'size-4'
const menuIcon = 'size-5 text-muted'

/** What can be done with an event: the three things of every day as buttons, the rest behind one. */
export const EventActions = memo(function EventActions({
  event,
  applications,
  userId,
}: {
  event: EventDocument
  applications: readonly ApplicationRow[]
  userId: number | null
}) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const [pending, setPending] = useState(false)
  const falling = asking ? fallingWithEvent(pendingEntries.get().account, event.id).length : 0

  async function remove() {
    setPending(true)
    try {
      await outbox.enqueue(deleteEvent, { id: event.id, name: event.name }, { userId })
      toast({
        title: 'Event Deleted',
        description: `${event.name} and its Beacon applications are gone from this phone; the server follows.`,
      })
      void navigate(paths.dashboard)
    } catch (error) {
      setPending(false)
      setAsking(false)
      const message = saveFailureText(error)
      toast({ title: `Failed to delete event: ${message}`, variant: 'destructive' })
    }
  }
  function download() {
    const text = applicationsCsv(
      event,
      applications.map(({ application }) => application),
    )
    saveFile(csvFileName(event, serverNow()), text, 'text/csv;charset=utf-8')
  }

  const entries: MenuEntry[] = [
    {
      label: 'Open the event page',
      to: paths.event(event.id),
      icon: <ExternalLink aria-hidden="true" className={menuIcon} />,
    },
    { label: 'QR poster', to: paths.poster(event.id), icon: <QrCode aria-hidden="true" className={menuIcon} /> },
    {
      label: 'Print the Beacon list',
      to: paths.beaconList(event.id),
      icon: <Printer aria-hidden="true" className={menuIcon} />,
    },
    {
      label: 'Download as CSV',
      onSelect: download,
      disabled: applications.length === 0,
      icon: <Download aria-hidden="true" className={menuIcon} />,
    },
    {
      label: 'Use as template',
      to: paths.createFromTemplate(event.id),
      icon: <CopyPlus aria-hidden="true" className={menuIcon} />,
      separated: true,
    },
  ]
  return (
    <>
      <ButtonLink
        to={paths.editEvent(event.id)}
        variant="secondary"
        icon={<Pencil aria-hidden="true" className={icon} />}
      >
        Edit
      </ButtonLink>
      <ButtonLink
        to={paths.customizeEvent(event.id)}
        variant="secondary"
        icon={<SlidersHorizontal aria-hidden="true" className={icon} />}
      >
        Customize
      </ButtonLink>
      <Button
        variant="danger-quiet"
        icon={<Trash2 aria-hidden="true" className={icon} />}
        aria-label="Delete"
        className="max-sm:btn-square"
        onClick={() => setAsking(true)}
      >
        <span className="max-sm:hidden">Delete</span>
      </Button>
      <DropdownMenu
        trigger={
          <IconButton label="More" variant="secondary">
            <Ellipsis aria-hidden="true" className="size-5" />
          </IconButton>
        }
        entries={entries}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
        confirmLabel="Delete Event"
        pending={pending}
        pendingText="Deleting..."
      >
        This action cannot be undone. It permanently deletes the event and all its Beacon applications.
        {falling > 0 &&
          ` ${falling === 1 ? 'One change' : `${falling} changes`} of it that the server refused ${falling === 1 ? 'goes' : 'go'} too.`}
      </ConfirmDialog>
    </>
  )
})

/** How long a browser may take to begin reading what it was told to save. */
const readWithinMs = 30_000

/** Hands a text to the device as a file to keep. */
function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), readWithinMs)
}
