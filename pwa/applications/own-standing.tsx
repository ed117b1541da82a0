import { useEffect } from 'react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { paths } from '../paths.ts'
import { useMyApplications } from './my-applications.ts'
import { allUnsent, type OwnApplications } from './own-application.ts'
import type { OwnPageState } from './own-page/own-page-state.ts'
import { useOwnPage } from './own-page/use-own-page.ts'

/** This takes the place of the way to apply for people who have applied on this device. */
export interface OwnStanding {
  readonly label: string
  readonly to: string
}

/**
 * It is null where the page still offers to apply: after a rejection or a withdrawal the form's address says what can
 * be done.
 */
export function standingLabel(
  { status, withdrawnAt }: Pick<OwnApplication, 'status' | 'withdrawnAt'>,
  { withdrawing }: Pick<OwnPageState, 'withdrawing'>,
): string | null {
  if (withdrawnAt !== null || withdrawing) return null
  if (status === 'approved') return 'You’re a Beacon: your page'
  return status === 'pending' ? 'You applied: your page' : null
}

interface WatchProps {
  readonly eventId: number
  readonly onFound: (standing: OwnStanding | null) => void
}

/** Draws nothing: an event's page loads it once the device may hold an application. */
export function WatchStanding({ eventId, onFound }: WatchProps) {
  const mine = useMyApplications()
  if (!mine) return null
  const { listed, own } = mine
  const waits = allUnsent(own.disk.entries).some(({ args, refused }) => args.eventId === eventId && !refused)
  const known = listed.find((one) => one.eventId === eventId)
  if (waits) return <Found label="Your application waits: your page" to={paths.apply(eventId)} onFound={onFound} />
  if (!known) return <Found label={null} to="" onFound={onFound} />
  return <Asked eventId={eventId} id={known.id} token={known.token} own={own} onFound={onFound} />
}

function Asked(props: WatchProps & { id: number; token: string; own: OwnApplications }) {
  const { eventId, id, token, own, onFound } = props
  const page = useOwnPage(token, eventId, own)
  const label = page.status === 'ready' ? standingLabel(page.state.shown, page.state) : null
  return <Found label={label} to={paths.ownApplication(eventId, id)} onFound={onFound} />
}

function Found({ label, to, onFound }: { label: string | null; to: string } & Pick<WatchProps, 'onFound'>) {
  useEffect(() => onFound(label === null ? null : { label, to }), [label, to, onFound])
  return null
}
