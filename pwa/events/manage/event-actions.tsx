import {
  CalendarX,
  Camera,
  CopyPlus,
  Download,
  Ellipsis,
  ExternalLink,
  MapPinned,
  Pencil,
  Printer,
  QrCode,
  SlidersHorizontal,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import { memo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  serverNow,
  describeEntry,
  type Entry,
  outbox,
  pendingEntries,
  type ApplicationRow,
  mutations,
} from '../../sync/index.ts'
import { may } from '../../device/session/acting.ts'
import { useSession } from '../../device/session/session.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { paths } from '../../paths.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { saveFile } from '../../ui/page/save-file.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { DropdownMenu, type MenuEntry } from '../../ui/dropdown-menu.tsx'
import { toast } from '../../ui/toast.ts'
import { CancelDialog, mayBeCancelled } from './cancel-event.tsx'
import { scanPlace, useScanner } from '../../applications/hand-in/scan-button.tsx'
import { applicationsCsv, csvFileName } from '../../applications/manage/applications-csv.ts'

const iconOf = (Icon: LucideIcon, className = 'size-4') => <Icon className={className} />

function isRefusedOf(event: EventDocument, entry: Entry): boolean {
  const { syncState, eventId } = describeEntry(entry)
  return syncState === 'needs-attention' && eventId === event.id
}

export const EventActions = memo(function EventActions(props: {
  event: EventDocument
  applications: readonly ApplicationRow[]
}) {
  const { event, applications } = props
  const userId = useSession().user?.id ?? null
  const navigate = useNavigate()
  const scanner = useScanner(event)
  const [asking, setAsking] = useState(false)
  const [cancelling, setCancelling] = useState(false)
  const [pending, setPending] = useState(false)
  // Without the event no repair of them can work.
  const falling = asking ? pendingEntries.get().account.filter((entry) => isRefusedOf(event, entry)).length : 0

  async function remove() {
    setPending(true)
    try {
      await outbox.enqueue(mutations.deleteEvent, { id: event.id, name: event.name, basis: event.basis }, { userId })
      toast({
        title: 'Event Deleted',
        description: `${event.name} and its Beacon applications are gone from this device.`,
      })
      void navigate(paths.dashboard)
    } catch (error) {
      setPending(false)
      setAsking(false)
      toast({ title: `Failed to delete event: ${saveFailureText(error)}`, variant: 'destructive' })
    }
  }
  function download() {
    const text = applicationsCsv(
      event,
      applications.map(({ application }) => application),
    )
    saveFile(csvFileName(event, serverNow()), text, 'text/csv;charset=utf-8')
  }

  const menuIcon = (Icon: LucideIcon) => iconOf(Icon, 'size-5 text-muted')
  const entries: MenuEntry[] = [
    ...(event.visibility === 'hidden'
      ? []
      : [{ label: 'Open the event page', to: paths.event(event.id), icon: menuIcon(ExternalLink) }]),
    ...(scanPlace(event, serverNow()) === 'menu'
      ? [{ label: 'Scan an application', onSelect: scanner.open, icon: menuIcon(Camera) }]
      : []),
    { label: 'QR poster', to: paths.poster(event.id), icon: menuIcon(QrCode) },
    { label: 'Who is where', to: paths.board(event.id), icon: menuIcon(MapPinned) },
    { label: 'Print the Beacon list', to: paths.beaconList(event.id), icon: menuIcon(Printer) },
    {
      label: 'Download as CSV',
      onSelect: download,
      disabled: applications.length === 0,
      icon: menuIcon(Download),
    },
    ...(may('manager')
      ? [
          {
            label: 'Use as template',
            to: paths.createFromTemplate(event.id),
            icon: menuIcon(CopyPlus),
            separated: true,
          },
        ]
      : []),
    ...(may('manager') && mayBeCancelled(event, serverNow())
      ? [{ label: 'Cancel Event', onSelect: () => setCancelling(true), icon: menuIcon(CalendarX) }]
      : []),
  ]
  return (
    <>
      {may('manager') && (
        <>
          <ButtonLink to={paths.editEvent(event.id)} variant="secondary" icon={iconOf(Pencil)}>
            Edit
          </ButtonLink>
          <ButtonLink to={paths.customizeEvent(event.id)} variant="secondary" icon={iconOf(SlidersHorizontal)}>
            Customize
          </ButtonLink>
        </>
      )}
      {may('owner') && (
        <Button
          variant="danger-quiet"
          icon={iconOf(Trash2)}
          aria-label="Delete"
          className="max-sm:btn-square"
          onClick={() => setAsking(true)}
        >
          <span className="max-sm:hidden">Delete</span>
        </Button>
      )}
      <DropdownMenu
        trigger={
          <IconButton label="More" variant="secondary">
            {iconOf(Ellipsis, 'size-5')}
          </IconButton>
        }
        entries={entries}
      />
      {scanner.dialog}
      <CancelDialog event={event} open={cancelling} onClose={() => setCancelling(false)} />
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
