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
  removeFace,
  sayComing,
  setFace,
  withdrawApplication,
  neverLeft,
  outbox,
} from '../../sync/index.ts'
import { asSetting } from '../../device/device-db.ts'
import { ownApplicationSetting } from '../../device/forget-application.ts'
import { forgottenTokens, isForgotten } from '../../device/forgotten-tokens.ts'
import type { ShrunkPicture } from '../../device/shrink-picture.ts'
import type { OwnApplications } from '../own-application.ts'
import {
  foldOwnChanges,
  knownFromReceipts,
  knownFromSent,
  newestKnown,
  ownChanges,
  type OwnPageState,
} from './own-page-state.ts'

/** `missing`: the server has no application under this link. */
export type OwnPage =
  | { readonly status: 'loading' | 'missing' | 'unreachable'; readonly reload: () => void }
  | ReadyPage

export interface ReadyPage {
  readonly status: 'ready'
  readonly state: OwnPageState
  readonly asOf: string
  readonly stale: boolean
  readonly reload: () => void
}

const when: When<OwnApplication> = { visible: true, reachable: 'always' }

/** The answer is kept under the token, also after the page is left, until it is removed from this device. */
function questionOf(token: string): Question<OwnApplication> {
  return createQuestion<OwnApplication>({
    call: () => call('getOwnApplication', { applicationToken: token }),
    missingStatuses: [404],
    // When the application was removed during the request, nothing is stored.
    isWanted: () => !isForgotten(token, forgottenTokens.get()),
    goesOn: true,
    cache: asSetting(ownApplicationSetting(token)),
  })
}

/** Painted from this device first; asked again on arrival, on return, with a network, and after a sent change. */
export function useOwnPage(token: string, eventId: number, { disk, sent }: OwnApplications): OwnPage {
  const question = useMemo(() => questionOf(token), [token])
  const { answer, asOf, failure, ask } = useAnswer(question, when)
  const reload = () => void ask()
  if (failure?.kind === 'missing') return { status: 'missing', reload }
  const kept = answer !== null && asOf !== null ? { value: answer, asOf } : null
  const mine = sent.find((candidate) => candidate.token === token)
  const known = newestKnown(kept, knownFromReceipts(disk.receipts, token), mine && knownFromSent(eventId, mine))
  if (!known) return { status: failure ? 'unreachable' : 'loading', reload }
  // Answers to changes have no briefing.
  const application = { ...known.value, briefing: known.value.briefing ?? kept?.value.briefing }
  const state = foldOwnChanges(application, ownChanges(disk.entries, application.id))
  return { status: 'ready', state, asOf: known.asOf, stale: failure !== null, reload }
}

export interface Opened {
  readonly token: string
  readonly event: PublicEvent
  readonly application: OwnApplication
}

const isReplaceable = (entry: Entry) =>
  entry.mutation === correctApplication.name && (entry.state === 'parked' || neverLeft(entry))

/** Replaces a correction that was refused or not sent yet. */
export async function sendCorrection(
  { token, event, application }: Pick<Opened, 'token' | 'event'> & { application: Pick<OwnApplication, 'id'> },
  fields: ApplicationFields,
): Promise<void> {
  const args = { applicationId: application.id, eventId: event.id, eventName: event.name, token, fields }
  const earlier = ownChanges(await outbox.pendingFor(null), application.id).findLast(isReplaceable)
  if (earlier && (await outbox.editAndResend(earlier.seq, correctApplication, args)) === 'resent') return
  await outbox.enqueue(correctApplication, args, { userId: null })
}

const aboutOneself = ({ token, event, application }: Opened) => ({
  applicationId: application.id,
  eventId: event.id,
  eventName: event.name,
  name: `${application.firstName} ${application.lastName}`,
  token,
})

export async function sendFace(opened: Opened, photo: ShrunkPicture | null): Promise<void> {
  const args = aboutOneself(opened)
  if (photo === null) await outbox.enqueue(removeFace, args, { userId: null })
  else await outbox.enqueue(setFace, { ...args, picture: photo.base64, type: photo.type }, { userId: null })
}

/** Replaces an answer that has not left. */
export async function sendComing(opened: Opened, coming: boolean): Promise<void> {
  const earlier = ownChanges(await outbox.pendingFor(null), opened.application.id)
  for (const entry of earlier)
    if (entry.mutation === sayComing.name && (entry.state === 'parked' || neverLeft(entry)))
      await outbox.discard(entry.seq)
  await outbox.enqueue(sayComing, { ...aboutOneself(opened), coming }, { userId: null })
}

/** Drops unsent corrections, which would hold the withdrawal up. */
export async function sendWithdrawal(opened: Opened): Promise<void> {
  for (const entry of ownChanges(await outbox.pendingFor(null), opened.application.id)) {
    if (isReplaceable(entry)) await outbox.discard(entry.seq)
  }
  await outbox.enqueue(withdrawApplication, aboutOneself(opened), { userId: null })
}
