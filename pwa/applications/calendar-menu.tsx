import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { paths } from '../paths.ts'
import { reachability } from '../sync/index.ts'
import { didNotWork } from '../ui/forms/failure-toast.ts'
import { saveFile } from '../ui/page/save-file.ts'
import { useLoadOnPress } from '../ui/load-on-press.ts'

const look =
  'inline-flex min-h-11 cursor-pointer items-center gap-1 rounded-sm font-medium underline decoration-edge underline-offset-4 hover:decoration-base-content'

interface CalendarMenuProps {
  readonly event: PublicEvent
  readonly asOf: string
}

export function CalendarMenu(props: CalendarMenuProps) {
  return (
    <p className="no-print flex flex-wrap gap-x-5">
      <CalendarFile {...props} />
      <OtherCalendars event={props.event} />
    </p>
  )
}

/** Uses the server's file where phones open it at once, else one made here. */
function CalendarFile({ event, asOf }: CalendarMenuProps) {
  /** Has no SEQUENCE: no calendar takes it for newer than the server's file. */
  const saveFromDevice = async () => {
    const { calendarFile, calendarFileName } = await import('#shared/events/calendar.ts')
    const text = calendarFile(event, location.origin, new Date(asOf))
    saveFile(calendarFileName(event), text, 'text/calendar;charset=utf-8')
  }
  return (
    <a
      href={paths.calendarFile(event.id)}
      download
      onClick={(press) => {
        if (reachability.get() === 'reachable') return
        press.preventDefault()
        saveFromDevice().catch(didNotWork)
      }}
      className={look}
    >
      Add to calendar
    </a>
  )
}

/** The menu weighs as much as a small screen. */
function OtherCalendars({ event }: Pick<CalendarMenuProps, 'event'>) {
  const [menu, open] = useLoadOnPress(async () => {
    const [{ DropdownMenu }, { calendarLinks }] = await Promise.all([
      import('../ui/dropdown-menu.tsx'),
      import('#shared/events/calendar.ts'),
    ])
    return { DropdownMenu, calendarLinks }
  })
  if (!menu) return <OtherButton aria-haspopup="menu" aria-expanded={false} onClick={open} />
  const links = menu.calendarLinks(event, location.origin)
  return (
    <menu.DropdownMenu
      isOpenAtFirst
      align="start"
      trigger={<OtherButton />}
      entries={[
        { label: 'Google Calendar', elsewhere: links.google },
        { label: 'Outlook', elsewhere: links.outlook },
        { label: 'Outlook at work or school', elsewhere: links.outlookAtWork },
      ]}
    />
  )
}

function OtherButton(props: ComponentProps<'button'>) {
  return (
    <button {...props} type="button" className={look}>
      Google or Outlook
      <ChevronDown className="size-4 text-muted" />
    </button>
  )
}
