import { RefreshCw } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { reachability, type Entry, replicaState, useOutbox, type OutboxItem, describeEntry } from '../sync/index.ts'
import { actingOrganizer } from '../browser/acting.ts'
import { useObservable } from '../browser/observable.ts'
import { storageTrouble } from '../browser/storage-trouble.ts'
import { SignInAgainDialog } from '../accounts/forms/sign-in-again-dialog.tsx'
import { paths } from '../paths.ts'
import { browserLimits, whenSent } from '../device/browser-limits.ts'
import { useSession } from '../device/session/session.ts'
import { syncedAt, syncNow, type SyncOutcome } from '../device/session/sync-now.ts'
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
import { forWhom } from './for-whom.ts'
import { groupRefused, type Refused } from './group-refused.ts'
import { ParkedCard } from './parked-card.tsx'
import { ParkedGroup } from './parked-group.tsx'
import { repairs } from './repairs.ts'

const isOfLane = (one: Entry, other: Entry) => one.lane === other.lane && one.userId === other.userId

/** Refused ones come first, each with those behind it, and then all others. */
function sorted(items: readonly OutboxItem[]) {
  const parked = items
    .filter(({ entry }) => entry.state === 'parked')
    .map((item) => ({
      item,
      behind: items.filter(({ entry }) => entry.state === 'blocked' && isOfLane(entry, item.entry)),
    }))
  return { parked, waiting: items.filter(({ syncState }) => syncState !== 'needs-attention') }
}

export function SyncScreen() {
  const { status, items, attention, lastSyncAt: pulledAt } = useOutbox()
  const { account } = useObservable(replicaState)
  const session = useSession()
  const askedAt = useObservable(syncedAt)
  const trouble = useObservable(storageTrouble)
  const lastSyncAt = session.user ? pulledAt : askedAt
  const unreachable = useObservable(reachability) === 'unreachable'
  const [syncing, setSyncing] = useState(false)
  const [signingIn, setSigningIn] = useState(false)
  const { parked, waiting } = useMemo(() => sorted(items), [items])
  const now = useNow()
  const whom = (entry: Entry) => forWhom(entry, actingOrganizer(), account?.teams ?? [])
  const cardOf = ({ item, behind }: Refused) => (
    <GuardedRow key={item.entry.seq} of={item}>
      <ParkedCard item={item} whom={whom(item.entry)} behind={behind} now={now} />
    </GuardedRow>
  )
  // The line is shown from the start, so that nothing moves when the answer comes.
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
        description: 'Everything stays on this device and is tried again automatically.',
        variant: 'destructive',
      })
    }
  }

  return (
    <TitledPage
      title={attention > 0 ? 'Needs attention' : 'On this device'}
      width="text"
      lead={[
        unreachable && 'No connection. Everything is kept on this device.',
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
      {status === 'loading' && trouble ? (
        <EmptyState illustration="offline" title="What is saved on this device can’t be read right now.">
          What you saved is still on it. The list appears as soon as the device’s storage responds.
        </EmptyState>
      ) : status === 'loading' ? (
        <Card padding="none">
          <Skeleton shape="row" count={3} label="Reading the queue" />
        </Card>
      ) : items.length === 0 ? (
        <EmptyState illustration="clear" title="Everything is saved online.">
          {lastSyncAt ? `Last checked ${formatMoment(lastSyncAt, now)}.` : asking || undefined}
        </EmptyState>
      ) : (
        <>
          {parked.length > 0 && (
            <ul aria-label="Needs attention" className="flex flex-col gap-4">
              {groupRefused(parked).map((group) =>
                group.length === 1 ? (
                  group.map(cardOf)
                ) : (
                  <ParkedGroup key={group[0]?.item.entry.seq} group={group}>
                    {group.map(cardOf)}
                  </ParkedGroup>
                ),
              )}
            </ul>
          )}
          <SendingProgress left={waiting.length} />
          {waiting.length > 0 && (
            <div className={parked.length > 0 ? 'mt-10' : ''}>
              <Section
                id="waiting"
                title={waiting.length === 1 ? '1 change on its way' : `${waiting.length} changes on their way`}
              >
                <p className="-mt-2 mb-4 text-muted">{whenSent(browserLimits())}</p>
                <Card padding="none">
                  <ul>
                    {waiting.map((item) => (
                      <GuardedRow key={item.entry.seq} of={item}>
                        <WaitingRow item={item} whom={whom(item.entry)} unreachable={unreachable} now={now} />
                      </GuardedRow>
                    ))}
                  </ul>
                </Card>
              </Section>
            </div>
          )}
        </>
      )}
      {session.user && (
        <SignInAgainDialog email={session.user.email} open={signingIn} onClose={() => setSigningIn(false)} />
      )}
    </TitledPage>
  )
}

/** Fewer are gone before they are counted. */
const manyChanges = 20

/** Measures against the most that waited since the page was opened. */
function SendingProgress({ left }: { left: number }) {
  const [max, setMax] = useState(left)
  if (left > max) setMax(left)
  const sent = max - left
  if (max < manyChanges || sent === 0 || left === 0) return null
  return (
    <div className="mb-4 flex items-center gap-4">
      <progress className="progress flex-1" value={sent} max={max} aria-label="Changes sent" />
      <span className="text-sm tabular-nums">
        {sent.toLocaleString('en-US')} of {max.toLocaleString('en-US')} sent
      </span>
    </div>
  )
}

const slowAfterMs = 10_000

/** Tells whether a change has been on its way for longer than one takes on a good line. */
function useIsSlow(isSending: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isSending) return
    const timer = setTimeout(setIsSlow, slowAfterMs, true)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isSending])
  return isSlow
}

function progressOf({ entry, reason }: OutboxItem, unreachable: boolean, isSlow: boolean): string {
  if (entry.discarding) return 'being cancelled'
  if (reason) return reason
  switch (entry.state) {
    case 'held':
      return 'can be undone for a moment'
    case 'sending':
      return isSlow ? 'on its way, but the connection is slow' : 'on its way'
    case 'acknowledged':
      return 'the server has it'
    default:
      if (unreachable) return 'waits for a connection'
      if (entry.attempts === 0) return 'will be sent in a moment'
      return `tried ${entry.attempts === 1 ? 'once' : `${entry.attempts} times`}, tries again automatically`
  }
}

function WaitingRow(props: { item: OutboxItem; whom: string | undefined; unreachable: boolean; now: Date }) {
  const { item, whom, unreachable, now } = props
  const { entry, syncState } = item
  const isSlow = useIsSlow(entry.state === 'sending')
  const { label, neverLeft, madeAt } = describeEntry(entry)
  const word = neverLeft ? 'Undo' : 'Cancel'
  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-base-300 px-4 py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2">{label}</p>
        <p className="flex flex-wrap gap-x-2 text-sm text-muted">
          <SyncLabel state={syncState} detail={progressOf(item, unreachable, isSlow)} />
          <span>{formatMoment(madeAt, now)}</span>
          {whom && <span className="[overflow-wrap:anywhere]">{whom}</span>}
        </p>
      </div>
      {entry.state !== 'acknowledged' && !entry.discarding && (
        <Button
          variant="ghost"
          size="small"
          flush="end"
          aria-label={`${word}: ${label}`}
          onClick={() => repairs.discard(entry)}
        >
          {word}
        </Button>
      )}
    </li>
  )
}
