import { defaultQuestions, questionText } from '#shared/applications/application-record.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import {
  type Entry,
  type Kept,
  type Receipt,
  findKnown,
  correctApplication,
  isOwnMutation,
  removeFace,
  sayComing,
  setFace,
  withdrawApplication,
} from '../../sync/index.ts'
import { argsOf } from '../../device/session/queued-entry.ts'
import type { SentApplication } from '../own-application.ts'

/** Changes in `correcting`, `withdrawing`, `answering` and `refused` are not confirmed. */
export interface OwnPageState {
  /** Includes queued corrections; the state is the server's. */
  readonly shown: OwnApplication
  readonly correcting: Entry | null
  readonly withdrawing: Entry | null
  readonly answering: Entry | null
  /** Data address of a photo on its way, null of one taken back; undefined for neither. */
  readonly photo: string | null | undefined
  readonly refused: Entry | null
}

/** Whether an applicant made the change, not an organizer. */
export const isOwnChange = ({ mutation }: Pick<Entry, 'mutation'>) => isOwnMutation(mutation)

export function ownChanges(entries: readonly Entry[], applicationId: number): Entry[] {
  return entries.filter(
    (entry) =>
      isOwnChange(entry) &&
      (findKnown(entry)?.args as { applicationId: number } | undefined)?.applicationId === applicationId,
  )
}

export function wantedFields(entry: Entry): ApplicationFields | null {
  return argsOf(entry, correctApplication)?.fields ?? null
}

export function foldOwnChanges(application: OwnApplication, changes: readonly Entry[]): OwnPageState {
  const alive = changes.filter(({ discarding, forget }) => !discarding && !forget)
  const waiting = alive.filter(({ state }) => state !== 'parked')
  const correcting = waiting.findLast(wantedFields) ?? null
  const answering = waiting.findLast(({ mutation }) => mutation === sayComing.name) ?? null
  const pictured = waiting.findLast(({ mutation }) => mutation === setFace.name || mutation === removeFace.name)
  const said = answering && argsOf(answering, sayComing)
  return {
    shown: { ...application, ...(correcting && wantedFields(correcting)), ...(said && { coming: said.coming }) },
    correcting,
    answering,
    photo: pictured && photoIn(pictured),
    withdrawing: waiting.findLast(({ mutation }) => mutation === withdrawApplication.name) ?? null,
    refused: alive.findLast(({ state }) => state === 'parked') ?? null,
  }
}

function photoIn(entry: Entry): string | null {
  const args = argsOf(entry, setFace)
  return args ? `data:${args.type};base64,${args.picture}` : null
}

/** As the server accepted it. */
export function knownFromSent(eventId: number, { id, fields, at }: SentApplication): Kept<OwnApplication> {
  const application: OwnApplication = {
    ...fields,
    id,
    eventId,
    status: 'pending',
    decidedAt: null,
    withdrawnAt: null,
    createdAt: at,
  }
  return { value: application, asOf: at }
}

/** From the newest receipt of an own change. */
export function knownFromReceipts(receipts: readonly Receipt[], token: string): Kept<OwnApplication> | null {
  const [newest] = receipts
    .filter((receipt) => isOwnChange(receipt) && (receipt.args as { token?: unknown }).token === token)
    .toSorted((one, other) => other.at.localeCompare(one.at))
  return newest ? { value: newest.answer as OwnApplication, asOf: newest.at } : null
}

/** The one the server said last. */
export function newestKnown(
  ...known: readonly (Kept<OwnApplication> | null | undefined)[]
): Kept<OwnApplication> | null {
  return known.reduce<Kept<OwnApplication> | null>(
    (newest, one) => (one && (!newest || one.asOf > newest.asOf) ? one : newest),
    null,
  )
}

/** In the order of the form. */
export function writtenLines(application: OwnApplication) {
  const { firstName, lastName, email, phone, company, jobTitle, linkedinUrl } = application
  return {
    facts: filled([
      ['Name', `${firstName} ${lastName}`],
      ['Email', email],
      ['Phone', phone],
      ['Company', company],
      ['Job title', jobTitle],
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
