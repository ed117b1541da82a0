import { UserPlus, UserRound } from 'lucide-react'
import { useState } from 'react'
import { roleDescriptions, roleNames, roles, type Role } from '#shared/contract/roles.ts'
import type { Team, TeamInvitation, TeamMember } from '#shared/team/team-calls.ts'
import { accountAnswer } from '../device/session/account-answers.ts'
import { call } from '../sync/index.ts'
import { Button, TryAgain } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SelectField } from '../ui/choice-fields.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { Skeleton } from '../ui/loading.tsx'
import { AsOf } from '../ui/page/as-of.tsx'
import { formatMoment, formatShortDay } from '../ui/page/local-time.ts'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { useNow } from '../ui/page/use-now.ts'
import { toast } from '../ui/toast.ts'
import { InviteDialog } from './invite-dialog.tsx'

const useTeam = accountAnswer<Team>({ call: (signal) => call('getTeam', { signal }), onDisk: 'team' })

/** Shows who helps with one's own events. Inviting and removing need a connection, and the list does not. */
export function TeamScreen() {
  const { answer: team, asOf, failure, ask } = useTeam()
  const [inviting, setInviting] = useState(false)
  return (
    <TitledPage
      title="Team"
      lead="People who help you with your events, each with their own account."
      titleAside={
        <Button icon={<UserPlus className="size-5" />} onClick={() => setInviting(true)}>
          Invite Someone
        </Button>
      }
    >
      <LoginRequired>Please log in to view your team.</LoginRequired>
      {team ? (
        <div className="flex max-w-3xl flex-col gap-6">
          <AsOf asOf={asOf} stale={failure !== null} onReload={() => void ask()} />
          <Members members={team.members} onChanged={ask} />
          {team.invitations.length > 0 && <Invitations invitations={team.invitations} onChanged={ask} />}
        </div>
      ) : failure === null ? (
        <Skeleton shape="card" label="Loading your team" />
      ) : (
        <EmptyState
          illustration="offline"
          title={failure.kind === 'unreachable' ? 'Your team needs a connection' : 'Your team could not be loaded'}
          action={<TryAgain onClick={() => void ask()} />}
        >
          Nothing was changed. Members can go on working.
        </EmptyState>
      )}
      {inviting && (
        <InviteDialog
          onClose={() => {
            setInviting(false)
            void ask()
          }}
        />
      )}
    </TitledPage>
  )
}

function Members({ members, onChanged }: { members: readonly TeamMember[]; onChanged: () => Promise<unknown> }) {
  const [removing, setRemoving] = useState<TeamMember | null>(null)
  const [busy, run] = useAction('The team was not changed')
  const change = async (member: TeamMember, role: Role) => {
    await run(async () => {
      await call('setTeamRole', { params: { id: member.id }, body: { role } })
      toast({ title: 'Role changed', description: `${member.name} is ${roleNames[role]} now.` })
      await onChanged()
    })
  }
  const remove = async () => {
    if (!removing) return
    await run(async () => {
      await call('removeFromTeam', { params: { id: removing.id } })
      toast({ title: 'Removed from your team', description: `${removing.name} can no longer do anything for you.` })
      setRemoving(null)
      await onChanged()
    })
  }
  if (members.length === 0) {
    return (
      <Card>
        <EmptyState illustration="hall" title="No one helps you yet" level={2}>
          Invite someone for the door, to review applications, or to manage events with you.
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card title="Members">
      <ul>
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            busy={busy}
            onRole={(role) => void change(member, role)}
            onRemove={() => setRemoving(member)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onConfirm={() => void remove()}
        title={`Remove ${removing?.name ?? ''}?`}
        confirmLabel="Remove"
        pending={busy}
        pendingText="Removing..."
      >
        Your events and applicants leave their devices at the next contact. What they have not sent by then is not made.
      </ConfirmDialog>
    </Card>
  )
}

interface MemberRowProps {
  readonly member: TeamMember
  readonly busy: boolean
  readonly onRole: (role: Role) => void
  readonly onRemove: () => void
}

function MemberRow({ member: { name, role, joinedAt }, busy, onRole, onRemove }: MemberRowProps) {
  const now = useNow()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-base-300 py-4 first:border-0 first:pt-0 last:pb-0">
      <UserRound className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-[1_1_12rem]">
        <h3 className="text-base break-words">{name}</h3>
        <p className="text-sm text-muted">Joined {formatShortDay(joinedAt, now)}</p>
      </div>
      <div className="flex items-center gap-2">
        <SelectField
          label={`Role of ${name}`}
          labelHidden
          value={role}
          disabled={busy}
          onChange={({ target }) => onRole(target.value as Role)}
        >
          {roles.map((one) => (
            <option key={one} value={one}>
              {roleNames[one]}
            </option>
          ))}
        </SelectField>
        <Button variant="danger-quiet" aria-label={`Remove ${name}`} disabled={busy} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <p className="basis-full text-sm text-muted">{roleDescriptions[role]}</p>
    </li>
  )
}

function Invitations(props: { invitations: readonly TeamInvitation[]; onChanged: () => Promise<unknown> }) {
  const { invitations, onChanged } = props
  const now = useNow()
  const [busy, run] = useAction('The invitation was not withdrawn')
  const withdraw = async ({ id }: TeamInvitation) => {
    await run(async () => {
      await call('withdrawInvitation', { params: { id } })
      toast({ title: 'Invitation withdrawn', description: 'Its link no longer works.' })
      await onChanged()
    })
  }
  return (
    <Card title="Open invitations">
      <ul>
        {invitations.map((invitation) => (
          <li
            key={invitation.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-base-300 py-3 first:border-0 first:pt-0 last:pb-0"
          >
            <p className="min-w-0 flex-[1_1_12rem]">
              {roleNames[invitation.role]}
              <span className="block text-sm text-muted">Until {formatMoment(invitation.expiresAt, now)}</span>
            </p>
            <Button variant="secondary" disabled={busy} onClick={() => void withdraw(invitation)}>
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
