import type { MouseEvent } from 'react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { reachability } from '../api/reachability.ts'
import { paths } from '../paths.ts'
import { toast } from '../ui/toast.ts'

/**
 * The same file as the server's, made of what this device has seen. Without a SEQUENCE, so that no calendar takes it for
 * newer than what the server or a mail said.
 */
async function saveFromDevice(event: PublicEvent, asOf: string): Promise<void> {
  const { calendarFile, calendarFileName } = await import('#shared/events/calendar.ts')
  const text = calendarFile(event, location.origin, new Date(asOf))
  const address = URL.createObjectURL(new Blob([text], { type: 'text/calendar;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = calendarFileName(event)
  link.click()
  // The browser has taken the file's bytes once this task is over.
  setTimeout(() => URL.revokeObjectURL(address))
}

/** The event for the calendar of this device: from the server where phones open it at once, else made here. */
export function AddToCalendar({ event, asOf }: { event: PublicEvent; asOf: string }) {
  const follow = (press: MouseEvent) => {
    if (reachability.get() === 'reachable') return
    press.preventDefault()
    saveFromDevice(event, asOf).catch((error: unknown) =>
      toast({
        title: 'That did not work',
        description: error instanceof Error ? error.message : String(error),
        variant: 'destructive',
      }),
    )
  }
  return (
    <a
      href={paths.calendarFile(event.id)}
      download
      onClick={follow}
      className="no-print inline-flex min-h-11 items-center rounded-sm font-medium underline decoration-edge underline-offset-4 hover:decoration-base-content"
    >
      Add to calendar
    </a>
  )
}
