import { BellRing, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import type { Session } from '#shared/accounts/session-calls.ts'
import { call, type questions } from '../../sync/index.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, TryAgain } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { toast } from '../../ui/toast.ts'
import { AsOf } from '../../ui/page/as-of.tsx'
import { formatMoment, formatShortDay } from '../../ui/page/local-time.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { useAction } from '../../ui/forms/use-action.ts'

export function SessionsCard({
  answer: sessions,
  asOf,
  failure,
  ask,
}: Omit<questions.Answered<readonly Session[]>, 'take'>) {
  const [ending, setEnding] = useState<Session | 'all' | null>(null)
  const [busy, run] = useAction('The session could not be ended')
  const others = sessions?.some(({ current }) => !current) ?? false

  const end = async () => {
    if (ending === null) return
    await run(async () => {
      if (ending === 'all') await call('endOtherSessions')
      else await call('endSession', { params: { id: ending.id } })
      toast(
        ending === 'all'
          ? { title: 'Signed out everywhere', description: 'Only this device is signed in now.' }
          : { title: 'Session ended', description: `${nameOf(ending)} is signed out.` },
      )
      setEnding(null)
      await ask()
    })
  }

  return (
    <Card
      title="Where you are signed in"
      footer={
        others && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0 flex-[1_1_14rem] text-sm text-muted">
              Lost a phone? This signs out every device but this one.
            </p>
            <Button variant="danger-quiet" onClick={() => setEnding('all')}>
              Sign out everywhere
            </Button>
          </div>
        )
      }
    >
      {sessions ? (
        <>
          <AsOf asOf={asOf} stale={failure !== null} onReload={() => void ask()} />
          <ul>
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
            ))}
          </ul>
        </>
      ) : failure === null ? (
        <div className="-mx-4">
          <Skeleton shape="row" count={2} label="Loading where you are signed in" />
        </div>
      ) : (
        <EmptyState
          illustration="offline"
          title={
            failure.kind === 'unreachable'
              ? 'The list of devices needs a connection'
              : 'The list of devices could not be loaded'
          }
          level={3}
          action={<TryAgain onClick={() => void ask()} />}
        >
          {failure.kind === 'unreachable'
            ? 'It will show here automatically as soon as there is one. This device stays signed in.'
            : 'Nothing was changed. Please try again.'}
        </EmptyState>
      )}
      <ConfirmDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        onConfirm={() => void end()}
        title={ending === 'all' ? 'Sign out everywhere?' : `Sign out ${ending ? nameOf(ending) : ''}?`}
        confirmLabel={ending === 'all' ? 'Sign Out Others' : 'Sign Out Device'}
        pending={busy}
        pendingText="Ending..."
      >
        {ending === 'all' ? 'Every other device' : 'That device'} is signed out at once, its alerts end, and your events
        and applicants leave it. Changes it has not sent stay locked on it until you sign in there again.
      </ConfirmDialog>
    </Card>
  )
}

const nameOf = ({ deviceName }: Session) => deviceName ?? 'A device without a name'

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const now = useNow()
  const { current, alerts, createdAt, lastSeenAt } = session
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-base-300 py-3 first:border-0 first:pt-0 last:pb-0">
      <MonitorSmartphone className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-[1_1_10rem]">
        <h3 className="text-base break-words">{nameOf(session)}</h3>
        <p className="text-sm text-muted">
          {current ? 'In use now' : `Last seen ${formatMoment(lastSeenAt, now)}`}
          <span className="block">Signed in since {formatShortDay(createdAt, now)}</span>
        </p>
        {alerts && (
          <p className="flex items-center gap-1.5 text-sm text-muted">
            <BellRing className="size-4" />
            Alerts on
          </p>
        )}
      </div>
      {current ? (
        <Badge tone="signal">This device</Badge>
      ) : (
        <Button variant="secondary" aria-label={`End session: ${nameOf(session)}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  )
}
