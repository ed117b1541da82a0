import { useMemo } from 'react'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { call, type Entry, outbox, serverNow, mutations, describeEntry, questions } from '../../sync/index.ts'
import { asSetting } from '../../device/device-db.ts'
import { ownApplicationSetting } from '../../device/opened-applications.ts'
import type { ShrunkPicture } from '../../device/shrink-picture.ts'
import type { OwnApplications } from '../own-application.ts'
import {
  foldOwnChanges,
  groundlessRefusals,
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
  /** These are to be discarded. */
  readonly groundless: readonly Entry[]
  readonly asOf: string
  readonly stale: boolean
  readonly reload: () => void
}

const when: questions.RefetchOptions<OwnApplication> = { visible: true, reachable: 'always' }

/** The answer is kept under the token until it is removed from this device. */
function questionOf(token: string): questions.Question<OwnApplication> {
  return questions.createQuestion<OwnApplication>({
    call: () => call('getOwnApplication', { applicationToken: token }),
    missingStatuses: [404],
    cache: asSetting(ownApplicationSetting(token)),
  })
}

/**
 * Paints from this device first, and asks again on arrival, on return, with a network, and after a sent change.
 * @param event where it is known, refusals that have lost their ground are left out
 */
export function useOwnPage(
  token: string,
  eventId: number,
  { disk, sent }: OwnApplications,
  event?: PublicEvent,
): OwnPage {
  const question = useMemo(() => questionOf(token), [token])
  const { answer, asOf, failure, ask } = questions.useAnswer(question, when)
  const reload = () => void ask()
  if (failure?.kind === 'missing') return { status: 'missing', reload }
  const kept = answer !== null && asOf !== null ? { value: answer, asOf } : null
  const mine = sent.find((candidate) => candidate.token === token)
  const known = newestKnown(kept, knownFromReceipts(disk.receipts, token), mine && knownFromSent(eventId, mine))
  if (!known) return { status: failure ? 'unreachable' : 'loading', reload }
  // Answers to changes have none of these.
  const {
    briefing = kept?.value.briefing,
    messages = kept?.value.messages,
    event: hidden = kept?.value.event,
  } = known.value
  const application = { ...known.value, briefing, messages, event: hidden }
  const changes = ownChanges(disk.entries, application.id)
  const groundless = event ? groundlessRefusals(known, changes, event, serverNow()) : []
  const state = foldOwnChanges(
    application,
    changes.filter((entry) => !groundless.includes(entry)),
  )
  return { status: 'ready', state, groundless, asOf: known.asOf, stale: failure !== null, reload }
}

export interface Opened {
  readonly token: string
  readonly event: PublicEvent
  readonly application: OwnApplication
}

const isReplaceable = (entry: Entry) =>
  entry.mutation === mutations.correctApplication.name && (entry.state === 'parked' || describeEntry(entry).neverLeft)

/** Replaces a correction that was refused or not sent yet. */
export async function sendCorrection(
  { token, event, application }: Pick<Opened, 'token' | 'event'> & { application: Pick<OwnApplication, 'id'> },
  fields: ApplicationFields,
): Promise<void> {
  const args = { applicationId: application.id, eventId: event.id, eventName: event.name, token, fields }
  const earlier = ownChanges(await outbox.pendingFor(null), application.id).findLast(isReplaceable)
  if (earlier && (await outbox.editAndResend(earlier.seq, mutations.correctApplication, args)) === 'resent') return
  await outbox.enqueue(mutations.correctApplication, args, { userId: null })
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
  if (photo === null) await outbox.enqueue(mutations.removeFace, args, { userId: null })
  else await outbox.enqueue(mutations.setFace, { ...args, picture: photo.base64, type: photo.type }, { userId: null })
}

/** Discards changes that were refused or have not left. */
async function discardEarlier({ application }: Opened, mutation: string): Promise<void> {
  for (const entry of ownChanges(await outbox.pendingFor(null), application.id))
    if (entry.mutation === mutation && (entry.state === 'parked' || describeEntry(entry).neverLeft))
      await outbox.discard(entry.seq)
}

/** Replaces an answer that has not left. */
export async function sendComing(opened: Opened, coming: boolean): Promise<void> {
  await discardEarlier(opened, mutations.sayComing.name)
  await outbox.enqueue(mutations.sayComing, { ...aboutOneself(opened), coming }, { userId: null })
}

/** It checks no one in twice: the server keeps the first arrival of a day. */
export async function sendCheckIn(opened: Opened): Promise<void> {
  await discardEarlier(opened, mutations.checkIn.name)
  await outbox.enqueue(
    mutations.checkIn,
    { ...aboutOneself(opened), seenAt: serverNow().toISOString() },
    { userId: null },
  )
}

/** Drops unsent corrections, which would hold the withdrawal up, and unsent answers, which would come after it. */
export async function sendWithdrawal(opened: Opened): Promise<void> {
  for (const entry of ownChanges(await outbox.pendingFor(null), opened.application.id)) {
    if (isReplaceable(entry)) await outbox.discard(entry.seq)
  }
  await discardEarlier(opened, mutations.sayComing.name)
  await discardEarlier(opened, mutations.checkIn.name)
  await outbox.enqueue(mutations.withdrawApplication, aboutOneself(opened), { userId: null })
}

export async function sendApplyingAgain(opened: Opened): Promise<void> {
  const args = { ...aboutOneself(opened), finishedAt: serverNow().toISOString() }
  await outbox.enqueue(mutations.applyAgain, args, { userId: null })
}
