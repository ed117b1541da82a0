import { RefreshCw } from 'lucide-react'
import { useMemo, useState, useEffect } from 'react'
import {
  useObservable,
  reachability,
  byServerClock,
  call,
  type Entry,
  findKnown,
  laneOf,
  neverLeft,
} from '../sync/index.ts'
import { SignInAgainDialog } from '../accounts/forms/sign-in-again-dialog.tsx'
import { paths } from '../paths.ts'
import { entryLabel } from '../device/session/queued-entry.ts'
import { useSession } from '../device/session/session.ts'
import { syncedAt, syncNow, type SyncOutcome } from '../device/session/sync-now.ts'
import { useOutbox, type OutboxItem } from '../device/session/use-outbox.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { GuardedRow } from '../ui/failure-boundary.tsx'
import { announce } from '../ui/live-region.tsx'
import { Section } from '../ui/page.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { SyncLabel } from '../ui/status-badge.tsx'
import { toast } from '../ui/toast.ts'
import { formatMoment } from '../ui/page/local-time.ts'
import { useNow } from '../ui/page/use-now.ts'
import { ParkedCard } from './parked-card.tsx'
import { MoveQueue } from './move-queue.tsx'
import { repairs } from './repairs.ts'

/**
 * Which refused changes are worth another try since the operator has fixed something. Only a hint.
 * @param userId null asks nothing
 * @param refused the server is asked again when they change
 */
function useAskedTries(userId: number | null, refused: readonly Entry[]): (entry: Entry) => boolean {
  const [asked, setAsked] = useState<Asked>({ refusals: new Set(), keys: null })
  const reachable = useObservable(reachability) !== 'unreachable'
  const keys = refused.map(({ key }) => key).join(' ')
  useEffect(() => {
    if (userId === null || keys === '' || !reachable) return
    const leaving = new AbortController()
    call('listAskedTries', { signal: leaving.signal }).then(
      (tries) =>
        setAsked((before) => ({
          refusals: new Set(tries.map(({ route, code }) => refusalOf(userId, route, code))),
          keys: before.keys ?? new Set(keys.split(' ')),
        })),
      () => undefined,
    )
    return () => leaving.abort()
  }, [userId, keys, reachable])
  return (entry) => {
    const route = findKnown(entry)?.mutation.route
    const code = entry.refusal?.problem.code
    if (route === undefined || code === undefined || !asked.keys?.has(entry.key)) return false
    return asked.refusals.has(refusalOf(entry.userId, route, code))
  }
}

interface Asked {
  readonly refusals: ReadonlySet<string>
  /** Those refused at the first answer; null before. */
  readonly keys: ReadonlySet<string> | null
}

const refusalOf = (userId: number | null, route: string, code: string) => `${userId} ${route} ${code}`

/** Refused ones, each with those behind it; then all others. */
function sorted(items: readonly OutboxItem[]) {
  const parked = items
    .filter(({ entry }) => entry.state === 'parked')
    .map((item) => ({
      item,
      behind: items.filter(({ entry }) => entry.state === 'blocked' && laneOf(entry) === laneOf(item.entry)),
    }))
  return { parked, waiting: items.filter(({ syncState }) => syncState !== 'needs-attention') }
}

export function SyncScreen() {
  const { status, items, attention, lastSyncAt: pulledAt } = useOutbox()
  const session = useSession()
  const askedAt = useObservable(syncedAt)
  const lastSyncAt = session.user ? pulledAt : askedAt
  const unreachable = useObservable(reachability) === 'unreachable'
  const [syncing, setSyncing] = useState(false)
  const [signingIn, setSigningIn] = useState(false)
  const { parked, waiting } = useMemo(() => sorted(items), [items])
  const isWorthAnotherTry = useAskedTries(
    session.state === 'ended' ? null : (session.user?.id ?? null),
    parked.map(({ item }) => item.entry),
  )
  const now = useNow()
  // Shown from the start, so that nothing moves when the answer comes.
  const asking =
    session.user !== null && session.state !== 'ended' && !lastSyncAt && !unreachable && 'Asking the server…'
  const needsAuth = items.some(({ entry }) => entry.state === 'needsAuth')

  async function sync() {
    setSyncing(true)
    const outcome = await syncNow().catch((): SyncOutcome => 'failed')
    setSyncing(false)
    if (outcome === 'in-step') announce('Done.')
    else if (outcome === 'unreachable') announce('No connection right now. Everything stays on this device.')
    else if (session.state !== 'ended') {
      toast({
        title: 'Not up to date yet',
        description: 'Everything stays on this device and is tried again by itself.',
        variant: 'destructive',
      })
    }
  }

  return (
    <TitledPage
      title={attention > 0 ? 'Needs attention' : 'On this device'}
      width="text"
      lead={[
        unreachable && 'No connection. Everything is kept on this device and goes out by itself.',
        asking,
        lastSyncAt && `Up to date at ${formatMoment(lastSyncAt, now)}.`,
      ]
        .filter(Boolean)
        .join(' ')}
      titleAside={
        <Button
          variant="secondary"
          icon={<RefreshCw className="size-4" />}
          pending={syncing}
          pendingText="Syncing..."
          onClick={() => void sync()}
        >
          Sync now
        </Button>
      }
    >
      {(needsAuth || session.state === 'ended') && (
        <Alert
          className="mb-6"
          variant="signal"
          title="Your session has ended"
          action={
            session.user ? (
              <Button onClick={() => setSigningIn(true)}>Sign In</Button>
            ) : (
              <ButtonLink to={paths.auth}>Sign In</ButtonLink>
            )
          }
        >
          Nothing is lost. Sign in as the same person and everything below is sent.
        </Alert>
      )}
      {status === 'loading' ? (
        <Card padding="none">
          <Skeleton shape="row" count={3} label="Reading the queue" />
        </Card>
      ) : items.length === 0 ? (
        <EmptyState illustration="clear" title="Everything is saved online.">
          {lastSyncAt ? `Last looked ${formatMoment(lastSyncAt, now)}.` : asking || undefined}
        </EmptyState>
      ) : (
        <>
          {parked.length > 0 && (
            <ul aria-label="Needs attention" className="flex flex-col gap-4">
              {parked.map(({ item, behind }) => (
                <GuardedRow key={item.entry.seq} of={item}>
                  <ParkedCard item={item} behind={behind} now={now} isWorthAnotherTry={isWorthAnotherTry(item.entry)} />
                </GuardedRow>
              ))}
            </ul>
          )}
          <SendingProgress left={waiting.length} />
          {waiting.length > 0 && (
            <div className={parked.length > 0 ? 'mt-10' : ''}>
              <Section
                id="waiting"
                title={waiting.length === 1 ? '1 change on its way' : `${waiting.length} changes on their way`}
              >
                <Card padding="none">
                  <ul>
                    {waiting.map((item) => (
                      <GuardedRow key={item.entry.seq} of={item}>
                        <WaitingRow item={item} unreachable={unreachable} now={now} />
                      </GuardedRow>
                    ))}
                  </ul>
                </Card>
              </Section>
            </div>
          )}
        </>
      )}
      {status === 'ready' && (
        <details className="mt-8">
          <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-sm font-medium underline decoration-edge underline-offset-4">
            Details
          </summary>
          <MoveQueue
            userId={session.user?.id ?? null}
            account={session.user && `${session.user.username} (${session.user.email})`}
            hasChanges={items.length > 0}
          />
        </details>
      )}
      {session.user && (
        <SignInAgainDialog email={session.user.email} open={signingIn} onClose={() => setSigningIn(false)} />
      )}
    </TitledPage>
  )
}

/** Fewer are gone before they are counted. */
const manyChanges = 20

/** Of the most that waited since the page was opened. */
function SendingProgress({ left }: { left: number }) {
  const [most, setMost] = useState(left)
  if (left > most) setMost(left)
  const sent = most - left
  if (most < manyChanges || sent === 0 || left === 0) return null
  return (
    <div className="mb-4 flex items-center gap-4">
      <progress className="progress flex-1" value={sent} max={most} aria-label="Changes sent" />
      <span className="text-sm tabular-nums">
        {sent.toLocaleString('en-US')} of {most.toLocaleString('en-US')} sent
      </span>
    </div>
  )
}

function progressOf({ entry, reason }: OutboxItem, unreachable: boolean): string {
  if (entry.discarding) return 'being cancelled'
  if (reason) return reason
  switch (entry.state) {
    case 'held':
      return 'can be undone for a moment'
    case 'sending':
      return 'on its way'
    case 'acknowledged':
      return 'the server has it'
    default:
      if (unreachable) return 'waits for a connection'
      if (entry.attempts === 0) return 'goes out in a moment'
      return `tried ${entry.attempts === 1 ? 'once' : `${entry.attempts} times`}, tries again by itself`
  }
}

function WaitingRow({ item, unreachable, now }: { item: OutboxItem; unreachable: boolean; now: Date }) {
  const { entry, syncState } = item
  const label = entryLabel(entry)
  const word = neverLeft(entry) ? 'Undo' : 'Cancel'
  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-base-300 px-4 py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2">{label}</p>
        <p className="flex flex-wrap gap-x-2 text-sm text-muted">
          <SyncLabel state={syncState} detail={progressOf(item, unreachable)} />
          <span>{formatMoment(byServerClock(entry.createdAt), now)}</span>
        </p>
      </div>
      {entry.state !== 'acknowledged' && !entry.discarding && (
        <Button variant="ghost" size="small" aria-label={`${word}: ${label}`} onClick={() => repairs.discard(entry)}>
          {word}
        </Button>
      )}
    </li>
  )
}
