import { defaultQuestions, questionText } from '#shared/applications/application-record.ts'
import { judgeComing } from '#shared/applications/coming.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import { type Entry, mutations, argsOf, describeEntry, type questions } from '../../sync/index.ts'
import { isOwnChange } from '../../device/forget-application.ts'
import type { Receipts, SentApplication } from '../own-application.ts'

/**
 * Changes in `correcting`, `withdrawing`, `applyingAgain`, `answering`, `checkingIn` and `refused` are not confirmed.
 */
export interface OwnPageState {
  /** Includes queued corrections; the state is the server's. */
  readonly shown: OwnApplication
  readonly correcting: Entry | null
  readonly withdrawing: Entry | null
  readonly applyingAgain: Entry | null
  readonly answering: Entry | null
  readonly checkingIn: Entry | null
  /** This is the data address of a photo on its way, null if one was taken back, and undefined for neither. */
  readonly photo: string | null | undefined
  readonly refused: Entry | null
}

/**
 * Refused answers about coming that would be taken now, because the organizer has approved the person again since.
 * @param known what the server said, and when: an answer from before the refusal says nothing about it
 */
export function groundlessRefusals(
  known: questions.Kept<Pick<OwnApplication, 'status'>>,
  changes: readonly Entry[],
  event: Parameters<typeof judgeComing>[2],
  now: Date,
): Entry[] {
  return changes.filter((entry) => {
    const said = argsOf(entry, mutations.sayComing)
    if (!said || entry.refusal?.problem.code !== 'not_allowed_now' || known.asOf <= entry.refusal.at) return false
    return typeof judgeComing({ status: known.value.status }, said.coming, event, now) === 'string'
  })
}

export function ownChanges(entries: readonly Entry[], applicationId: number): Entry[] {
  return entries.filter(
    (entry) =>
      isOwnChange(entry) &&
      (describeEntry(entry).args as { applicationId: number } | undefined)?.applicationId === applicationId,
  )
}

export function wantedFields(entry: Entry): ApplicationFields | null {
  return argsOf(entry, mutations.correctApplication)?.fields ?? null
}

export function foldOwnChanges(application: OwnApplication, changes: readonly Entry[]): OwnPageState {
  const alive = changes.filter(({ discarding, forget }) => !discarding && !forget)
  const waiting = alive.filter(({ state }) => state !== 'parked')
  const correcting = waiting.findLast(wantedFields) ?? null
  const answering = waiting.findLast(({ mutation }) => mutation === mutations.sayComing.name) ?? null
  const checkingIn = waiting.findLast(({ mutation }) => mutation === mutations.checkIn.name) ?? null
  const pictured = waiting.findLast(
    ({ mutation }) => mutation === mutations.setFace.name || mutation === mutations.removeFace.name,
  )
  const said = answering && argsOf(answering, mutations.sayComing)
  const arrived = checkingIn && argsOf(checkingIn, mutations.checkIn)
  return {
    shown: {
      ...application,
      ...(correcting && wantedFields(correcting)),
      ...(said && { coming: said.coming }),
      ...(arrived && { arrivals: [...(application.arrivals ?? []), arrived.seenAt] }),
    },
    correcting,
    answering,
    checkingIn,
    photo: pictured && photoIn(pictured),
    withdrawing: waiting.findLast(({ mutation }) => mutation === mutations.withdrawApplication.name) ?? null,
    applyingAgain: waiting.findLast(({ mutation }) => mutation === mutations.applyAgain.name) ?? null,
    refused: alive.findLast(({ state }) => state === 'parked') ?? null,
  }
}

function photoIn(entry: Entry): string | null {
  const args = argsOf(entry, mutations.setFace)
  return args ? `data:${args.type};base64,${args.picture}` : null
}

/** Gives the application as the server accepted it. */
export function knownFromSent(
  eventId: number,
  { id, fields, at, status }: SentApplication,
): questions.Kept<OwnApplication> {
  const application: OwnApplication = {
    ...fields,
    id,
    eventId,
    status,
    decidedAt: null,
    withdrawnAt: null,
    createdAt: at,
  }
  return { value: application, asOf: at }
}

/** The newest receipt of an own change says this. */
export function knownFromReceipts(receipts: Receipts, token: string): questions.Kept<OwnApplication> | null {
  const [newest] = receipts
    .filter((receipt) => isOwnChange(receipt) && (receipt.args as { token?: unknown }).token === token)
    .toSorted((one, other) => other.at.localeCompare(one.at))
  return newest ? { value: newest.answer as OwnApplication, asOf: newest.at } : null
}

/** Picks the one that the server said last. */
export function newestKnown(
  ...known: readonly (questions.Kept<OwnApplication> | null | undefined)[]
): questions.Kept<OwnApplication> | null {
  return known.reduce<questions.Kept<OwnApplication> | null>(
    (newest, one) => (one && (!newest || one.asOf > newest.asOf) ? one : newest),
    null,
  )
}

/** Lists the answers in the order of the form. */
export function writtenLines(application: OwnApplication) {
  const { firstName, lastName, email, phone, company, jobTitle, topics, linkedinUrl } = application
  return {
    facts: filled([
      ['Name', `${firstName} ${lastName}`],
      ['Email', email],
      ['Phone', phone],
      ['Company', company],
      ['Job title', jobTitle],
      ['Topics', topics],
      ['LinkedIn profile', linkedinUrl?.replace(/^https?:\/\/(www\.)?/, '') ?? null],
    ]),
    answers: filled([
      ...defaultQuestions.map(({ field, text }): Line => [text, application[field]]),
      ...application.customAnswers.map(({ question, answer }): Line => [questionText(question), answer]),
    ]),
  }
}

type Line = readonly [term: string, detail: string | null]

const filled = (lines: readonly Line[]) => lines.flatMap(([term, detail]) => (detail ? [{ term, detail }] : []))
