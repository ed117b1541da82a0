import { Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { type OwnApplications, useOwnApplication } from '../own-application.ts'
import { EventAbsent } from '../public-event-page.tsx'
import { useLinkToken } from './link-token.ts'
import { OwnPage } from './own-page.tsx'
import { useOwnPage } from './use-own-page.ts'

/** Who applied while the event was public keeps the own page when its organizer hides the event. */
export function OwnPageOfHiddenEvent({ id }: { readonly id: number }) {
  const own = useOwnApplication(id)
  const { token: linkToken, looking } = useLinkToken(own.sent)
  if (looking || own.status === 'loading') return <Loading />
  const token = linkToken ?? own.sent[0]?.token
  return token === undefined ? <Absent /> : <FromAnswer key={token} id={id} token={token} own={own} />
}

function FromAnswer({ id, token, own }: { id: number; token: string; own: OwnApplications }) {
  const page = useOwnPage(token, id, own)
  if (page.status === 'loading') return <Loading />
  const event = page.status === 'ready' ? page.state.shown.event : undefined
  if (event) return <OwnPage token={token} event={event} own={own} onAnother={undefined} />
  return <Absent unreachable={page.status === 'unreachable'} onReload={page.reload} />
}

function Loading() {
  return (
    <Page width="narrow">
      <Skeleton shape="detail" label="Loading your application" />
    </Page>
  )
}

function Absent(props: { unreachable?: boolean; onReload?: () => void }) {
  const { unreachable = false, onReload = () => undefined } = props
  return <EventAbsent unreachable={unreachable} onReload={onReload} />
}
