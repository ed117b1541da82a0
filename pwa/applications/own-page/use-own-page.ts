import { useMemo } from 'react'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import {
  call,
  createQuestion,
  useAnswer,
  type Question,
  type When,
  type Entry,
  correctApplication,
  withdrawApplication,
  neverLeft,
  outbox,
} from '../../sync/index.ts'
import { deleteSetting, readSetting, writeSetting } from '../../device/device-db.ts'
import { ownApplicationSetting } from '../../device/forget-application.ts'
import { forgottenTokens, isForgotten } from '../../device/forgotten-tokens.ts'
import type { OwnApplications } from '../own-application.ts'
import {
  foldOwnChanges,
  knownFromReceipts,
  knownFromSent,
  newestKnown,
  ownChanges,
  type KnownApplication,
  type OwnPageState,
} from './own-page-state.ts'

/** What an applicant's own page shows. `missing`: the server has no application under this link. */
export type OwnPage =
  | { readonly status: 'loading' | 'missing' | 'unreachable'; readonly reload: () => void }
  | ReadyPage

export interface ReadyPage {
  readonly status: 'ready'
  readonly state: OwnPageState
  readonly asOf: string
  /** The newest attempt to ask the server failed. */
  readonly stale: boolean
  readonly reload: () => void
}

const when: When<OwnApplication> = { visible: true, reachable: 'always' }

/** Kept under the token, also when the page is left meanwhile, until it is removed from this device. */
function questionOf(token: string): Question<OwnApplication> {
  const setting = ownApplicationSetting(token)
  return createQuestion<OwnApplication>({
    call: () => call('getOwnApplication', { applicationToken: token }),
    missingStatuses: [404],
    // Removed from this device while the server was asked: nothing is written down any more.
    isWanted: () => !isForgotten(token, forgottenTokens.get()),
    goesOn: true,
    place: {
      async read() {
        const kept = await readSetting<KnownApplication>(setting)
        return kept && { value: kept.application, asOf: kept.asOf }
      },
      keep: ({ value: application, asOf }) => writeSetting(setting, { application, asOf } satisfies KnownApplication),
      forget: () => deleteSetting(setting),
    },
  })
}

/**
 * The application that a token opens: painted from this device, and asked of the server on arrival, when the page is shown
 * again, when there is a network again, and when a change has gone out.
 */
export function useOwnPage(token: string, eventId: number, { disk, sent }: OwnApplications): OwnPage {
  const question = useMemo(() => questionOf(token), [token])
  const { answer, asOf, failure, ask } = useAnswer(question, when)
  const reload = () => void ask()
  if (failure?.kind === 'missing') return { status: 'missing', reload }
  const kept = answer !== null && asOf !== null ? { application: answer, asOf } : null
  const mine = sent.find((candidate) => candidate.token === token)
  const known = newestKnown(kept, knownFromReceipts(disk.receipts, token), mine && knownFromSent(eventId, mine))
  if (!known) return { status: failure ? 'unreachable' : 'loading', reload }
  const state = foldOwnChanges(known.application, ownChanges(disk.entries, known.application.id))
  return { status: 'ready', state, asOf: known.asOf, stale: failure !== null, reload }
}

/** An application, and what opens it. */
export interface Opened {
  readonly token: string
  readonly event: PublicEvent
  readonly application: OwnApplication
}

const isReplaceable = (entry: Entry) =>
  entry.mutation === correctApplication.name && (entry.state === 'parked' || neverLeft(entry))

/** Queues a correction; it takes the place of one that was refused or has not left yet. */
export async function sendCorrection({ token, event, application }: Opened, fields: ApplicationFields): Promise<void> {
  const args = { applicationId: application.id, eventId: event.id, eventName: event.name, token, fields }
  const earlier = ownChanges(await outbox.pendingFor(null), application.id).findLast(isReplaceable)
  if (earlier && (await outbox.editAndResend(earlier.seq, correctApplication, args)) === 'resent') return
  await outbox.enqueue(correctApplication, args, { userId: null })
}

/** Queues a withdrawal. Corrections that were refused or have not left yet have lost their point, and must not hold it up. */
export async function sendWithdrawal({ token, event, application }: Opened): Promise<void> {
  for (const entry of ownChanges(await outbox.pendingFor(null), application.id)) {
    if (isReplaceable(entry)) await outbox.discard(entry.seq)
  }
  const name = `${application.firstName} ${application.lastName}`
  const args = { applicationId: application.id, eventId: event.id, eventName: event.name, name, token }
  await outbox.enqueue(withdrawApplication, args, { userId: null })
}
