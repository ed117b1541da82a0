import type { ApplicationStatus } from '#shared/applications/decide.ts'
import { browserLimits } from '../../device/browser-limits.ts'
import { readStorageUse } from '../../device/kept-storage.ts'
import { readPushState } from '../../device/alerts/push-alerts.ts'
import { measureTestAlert } from '../../device/alerts/test-alert.ts'
import { call, clockCorrection, isTooOld, outbox, pendingEntries, replicaState, Unreachable } from '../../sync/index.ts'
import { checkShell, rehearse } from './rehearsal.ts'
import { compareCopy, type AlertFact, type CopyFact, type DeviceCopy, type ReadyFacts } from './ready-lines.ts'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function copyOf(eventId: number): DeviceCopy {
  const { status, epoch, appliedVersion, events, applications } = replicaState.get()
  const mine = applications.filter((application) => application.eventId === eventId)
  const count = (status: ApplicationStatus) => mine.filter((one) => one.status === status).length
  return {
    epoch,
    appliedVersion,
    eventVersion: status === 'ready' ? events.find(({ id }) => id === eventId)?.version : undefined,
    applications: { pending: count('pending'), approved: count('approved'), rejected: count('rejected') },
  }
}

/** What arrives during the comparison is no difference: it is made again after a moment. */
const maxComparisons = 3
const betweenComparisonsMs = 700

async function checkCopy(eventId: number): Promise<CopyFact> {
  try {
    for (let comparisons = 1; ; comparisons += 1) {
      const summary = await call('getSyncSummary', { query: { eventId } })
      const fact = compareCopy(summary, copyOf(eventId))
      if (fact.is !== 'different' || comparisons === maxComparisons) return fact
      await new Promise((resolve) => setTimeout(resolve, betweenComparisonsMs))
    }
  } catch (error) {
    return { is: error instanceof Unreachable ? 'no-network' : 'unknown' }
  }
}

async function checkStorage(): Promise<ReadyFacts['storage']> {
  const { persistent, freeBytes } = await readStorageUse()
  return { isPersistent: persistent, freeBytes, clearsAfterWeek: browserLimits().clearsAfterWeek }
}

async function checkAlert(isReachable: boolean): Promise<AlertFact> {
  const state = await readPushState()
  if (state !== 'on') return { is: state === 'checking' ? 'unsupported' : state }
  if (!isReachable) return { is: 'no-network' }
  try {
    const tookMs = await measureTestAlert()
    return tookMs === null ? { is: 'late' } : { is: 'arrived', afterSeconds: Math.max(1, Math.round(tookMs / 1000)) }
  } catch (error) {
    return error instanceof Unreachable ? { is: 'no-network' } : { is: 'failed', why: messageOf(error) }
  }
}

/** As the disk has it: the screens may not have read it yet. */
async function checkQueue(userId: number): Promise<ReadyFacts['queue']> {
  const entries = [...(await outbox.pendingFor(userId)), ...(await outbox.pendingFor(null))]
  const attention = entries.filter(({ state }) => state === 'parked' || state === 'blocked').length
  const { writing = [] } = pendingEntries.get()
  return { waiting: entries.length - attention + writing.length, attention }
}

async function checkApp(isReachable: boolean): Promise<ReadyFacts['app']> {
  if (isTooOld.get()) return { is: 'too-old' }
  if (!isReachable) return { is: 'no-network' }
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    await registration?.update()
    return { is: registration?.waiting ? 'update-waiting' : registration?.installing ? 'loading' : 'newest' }
  } catch {
    return { is: 'no-network' }
  }
}

/**
 * Looks at everything. What needs the network comes before the rehearsal, which cuts it.
 * @param onFound called with each fact as soon as it is known
 */
export async function probeAll(
  { eventId, userId }: { readonly eventId: number; readonly userId: number },
  onFound: (facts: Partial<ReadyFacts>) => void,
): Promise<ReadyFacts> {
  const told = <K extends keyof ReadyFacts>(name: K, fact: ReadyFacts[K]): ReadyFacts[K] => {
    onFound({ [name]: fact })
    return fact
  }
  const queue = told('queue', await checkQueue(userId))
  const copy = told('copy', await checkCopy(eventId))
  const isReachable = copy.is !== 'no-network'
  // The answer of the comparison has just named the server's time.
  const clock = told('clock', { aheadMs: isReachable ? -clockCorrection.get() : null })
  const [storage, shell, app, alert] = await Promise.all([
    checkStorage().then((fact) => told('storage', fact)),
    checkShell().then((fact) => told('shell', fact)),
    checkApp(isReachable).then((fact) => told('app', fact)),
    checkAlert(isReachable).then((fact) => told('alert', fact)),
  ])
  const rehearsal = told('rehearsal', await rehearse({ eventId, userId }))
  return { copy, storage, clock, alert, queue, app, shell, rehearsal }
}
