import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { organizerParam } from '#shared/events/manage-path.ts'
import { type Acting, actingNow } from '../browser/acting.ts'
import { useObservable } from '../browser/observable.ts'
import { useSession } from '../device/session/session.ts'
import { paths } from '../paths.ts'
import { reachability, useAccount } from '../sync/index.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageSpinner } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { switchIfReached } from './switch-organizer.ts'

/**
 * The addresses of alerts and emails name the organizer of the event.
 * @returns whom this page must act for instead (null: the signed-in person), undefined where it already does
 */
export function useOtherOrganizer(): Acting | null | undefined {
  const { user } = useSession()
  const account = useAccount()
  const named = Number(new URLSearchParams(useLocation().search).get(organizerParam))
  if (!user || named === (actingNow()?.organizerId ?? user.id)) return undefined
  return named === user.id ? null : account?.teams.find(({ organizerId }) => organizerId === named)
}

/** Switches to the organizer as soon as the server answers. */
export function OtherOrganizer({ member }: { readonly member: Acting | null }) {
  const { user } = useSession()
  const { pathname, search } = useLocation()
  const isUnreachable = useObservable(reachability) === 'unreachable'
  const [hasFailed, setHasFailed] = useState(false)
  const userId = user?.id
  useEffect(() => {
    if (isUnreachable || userId === undefined) return
    void switchIfReached(userId, member, pathname + search).then((isSwitching) => setHasFailed(!isSwitching))
  }, [isUnreachable, member, userId, pathname, search])
  if (!isUnreachable && !hasFailed) return <PageSpinner />
  return (
    <Page>
      <EmptyState
        illustration="offline"
        level={1}
        title={member ? `This event is ${member.name}’s` : 'This event is your own'}
        action={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}
      >
        This device has the events of one organizer at a time. It opens once there is a connection; what you have here
        stays.
      </EmptyState>
    </Page>
  )
}
