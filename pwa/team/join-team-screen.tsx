import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { roleDescriptions, roleNames, type Role } from '#shared/contract/roles.ts'
import { actAs } from '../device/session/acting.ts'
import { useSession } from '../device/session/session.ts'
import { paths } from '../paths.ts'
import { call, Refused } from '../sync/index.ts'
import { Button, ButtonLink, TryAgain } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { Skeleton } from '../ui/loading.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'

type Found =
  | { readonly kind: 'asking' }
  | { readonly kind: 'found'; readonly name: string; readonly role: Role }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unreachable' }

/** An invitation leads here. The token is in the fragment, which no server and no log sees. */
export function JoinTeamScreen() {
  const token = useLocation().hash.slice(1)
  const [asked, setAsked] = useState(0)
  return (
    <TitledPage title="Join a team" width="narrow">
      <Asked key={`${token} ${asked}`} token={token} onAgain={() => setAsked(asked + 1)} />
    </TitledPage>
  )
}

function Asked({ token, onAgain }: { token: string; onAgain: () => void }) {
  const [found, setFound] = useState<Found>({ kind: 'asking' })
  useEffect(() => {
    const ending = new AbortController()
    call('readInvitation', { body: { token: token || 'none' }, signal: ending.signal }).then(
      ({ name, role }) => setFound({ kind: 'found', name, role }),
      (error: unknown) => {
        if (ending.signal.aborted) return
        setFound(error instanceof Refused ? { kind: 'refused', message: error.message } : { kind: 'unreachable' })
      },
    )
    return () => ending.abort()
  }, [token])
  return (
    <>
      {found.kind === 'asking' && <Skeleton shape="card" label="Reading the invitation" />}
      {found.kind === 'found' && <Invitation token={token} name={found.name} role={found.role} />}
      {found.kind === 'refused' && (
        <EmptyState illustration="lost" title="This invitation does not work">
          {found.message}
        </EmptyState>
      )}
      {found.kind === 'unreachable' && (
        <EmptyState illustration="offline" title="Joining needs a connection" action={<TryAgain onClick={onAgain} />}>
          The invitation stays valid. Open this page again when there is a network.
        </EmptyState>
      )}
    </>
  )
}

function Invitation({ token, name, role }: { token: string; name: string; role: Role }) {
  const { state, user } = useSession()
  const [busy, run] = useAction('You have not joined')
  const join = async () => {
    await run(async () => {
      const member = await call('joinTeam', { body: { token } })
      if (user) actAs(user.id, member)
    })
  }
  return (
    <Card>
      <h2 className="text-xl [overflow-wrap:anywhere]">{name} asks you to help with their events</h2>
      <p className="mt-3 font-medium">Your role: {roleNames[role]}</p>
      <p className="text-muted">{roleDescriptions[role]}</p>
      <div className="mt-5">
        {state === 'signed-in' && user ? (
          <>
            <Button pending={busy} pendingText="Joining..." onClick={() => void join()}>
              Join the Team
            </Button>
            <p className="mt-3 text-sm text-muted">
              You join as {user.username}. The organizer sees that name at what you do for them.
            </p>
          </>
        ) : (
          <>
            <ButtonLink to={paths.auth} state={{ from: `${paths.joinTeam}#${token}` }}>
              Sign In to Join
            </ButtonLink>
            <p className="mt-3 text-sm text-muted">No account yet? You can make one there, without a plan.</p>
          </>
        )}
      </div>
    </Card>
  )
}
