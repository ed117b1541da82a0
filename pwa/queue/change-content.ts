import { application } from '#shared/applications/application-calls.ts'
import { applicationRecord } from '#shared/applications/application-record.ts'
import type { ApplicationStatus } from '#shared/applications/decide.ts'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import { labelsOf } from '#shared/record/record.ts'
import { type Entry, mutations, argsOf, describeEntry } from '../sync/index.ts'
import { paths } from '../paths.ts'
import { isOwnChange } from '../device/forget-application.ts'
import { formatMoment } from '../ui/page/local-time.ts'

export interface ContentLine {
  readonly name: string
  readonly value: string
}

export interface Difference {
  readonly name: string
  readonly mine: string
  readonly theirs: string
}

const fieldNames = { ...labelsOf(eventRecord), ...labelsOf(customizationRecord) }

/** Answers to custom questions are listed under those questions. */
const { customAnswers: _, ...applicationNames } = labelsOf(applicationRecord)

function inWords(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(inWords).join('\n')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

function linesOf(fields: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>): ContentLine[] {
  return Object.entries(names)
    .map(([field, name]) => ({ name, value: inWords(fields[field]) }))
    .filter(({ value }) => value !== '')
}

function eventFieldsOf(entry: Entry): Readonly<Record<string, unknown>> | null {
  const args =
    argsOf(entry, mutations.createEvent) ??
    argsOf(entry, mutations.updateEvent) ??
    argsOf(entry, mutations.customizeEvent)
  return args ? { ...args.fields } : null
}

/** Empty where the label says it all. */
export function contentOf(entry: Entry): ContentLine[] {
  const event = eventFieldsOf(entry)
  if (event) return linesOf(event, fieldNames)
  const { written } = describeEntry(entry)
  if (written) return linesOf(written, Object.fromEntries(Object.keys(written).map((name) => [name, name])))
  const fields = (
    argsOf(entry, mutations.applyAsBeacon) ??
    argsOf(entry, mutations.handInApplication)?.application ??
    argsOf(entry, mutations.correctApplication)
  )?.fields
  if (!fields) return []
  const answers = fields.customAnswers.map(({ question, answer }) => ({ name: question, value: answer }))
  return [...linesOf({ ...fields }, applicationNames), ...answers]
}

export function copyText(entry: Entry): string {
  const reason = entry.refusal ? [`Refused: ${entry.refusal.problem.message}`] : []
  const lines = contentOf(entry).map(({ name, value }) => `${name}: ${value}`)
  return [describeEntry(entry).labelAsMade, `Made ${entry.createdAt}`, ...reason, ...lines].join('\n')
}

/** Lists the fields in which this device and the server differ. */
export function differencesOf(entry: Entry): Difference[] {
  const mine = eventFieldsOf(entry)
  const current: unknown = describeEntry(entry).isConflict ? entry.refusal?.problem.current : undefined
  if (!mine || typeof current !== 'object' || current === null) return []
  const theirs = current as Readonly<Record<string, unknown>>
  return Object.entries(fieldNames)
    .filter(([field]) => field in mine && field in theirs)
    .map(([field, name]) => ({ name, mine: inWords(mine[field]), theirs: inWords(theirs[field]) }))
    .filter((difference) => difference.mine !== difference.theirs)
}

const goneCodes: ReadonlySet<string> = new Set(['not_found', 'gone'])

/** Returns null for every refusal that has its own message. */
export function goneReasonOf(entry: Entry): string | null {
  if (entry.again || !goneCodes.has(entry.refusal?.problem.code ?? '') || isOwnChange(entry)) return null
  const what = describeEntry(entry).target?.collection === 'applications' ? 'This applicant’s event' : 'This event'
  return `${what} is no longer on the server: it was deleted on another device, or belongs to someone else now.`
}

/** Leads an edit of a deleted event to a form for a new event; returns null for anything else. */
export function newEventAddressOf(entry: Entry): string | null {
  if (entry.mutation !== mutations.updateEvent.name || !goneCodes.has(entry.refusal?.problem.code ?? '')) return null
  return `${paths.createEvent}?copy=${entry.seq}`
}

/** Null when there is no form for the change, or nothing left to send it to. */
export function editAddressOf(entry: Entry): string | null {
  if (entry.state !== 'parked') return null
  if (entry.mutation !== mutations.createEvent.name && goneCodes.has(entry.refusal?.problem.code ?? '')) return null
  const corrected = argsOf(entry, mutations.correctApplication)
  if (corrected) return paths.ownApplication(corrected.eventId, corrected.applicationId)
  const form = formOf(entry)
  return form && `${form}?resend=${entry.seq}`
}

/** The form's screen finds the change with `useParkedEntry`. */
function formOf(entry: Entry): string | null {
  const applied = argsOf(entry, mutations.applyAsBeacon)
  if (applied) return paths.apply(applied.eventId)
  const edited = argsOf(entry, mutations.updateEvent)
  if (edited) return paths.editEvent(edited.id)
  const customized = argsOf(entry, mutations.customizeEvent)
  if (customized) return paths.customizeEvent(customized.id)
  return argsOf(entry, mutations.createEvent) ? paths.createEvent : null
}

/** Only the applicant makes a decided application pending. */
const whatHappened: Record<ApplicationStatus, string> = {
  pending: 'withdrew and applied again',
  approved: 'was approved',
  rejected: 'was rejected',
}

/** A newer server may send more. */
const current = application.pick({ status: true, decidedAt: true, decidedOn: true }).loose()

export interface DecisionConflict {
  readonly name: string
  readonly mine: mutations.DecideApplication['status']
  readonly theirs: ApplicationStatus
  /** 'Ana Ruiz was rejected on iPad at 10:31 AM; this device approved them at 10:29 AM.' */
  readonly sentence: string
}

/** Returns null when the decision was refused for another reason. */
export function decisionConflictOf(entry: Entry, now: Date): DecisionConflict | null {
  const decision = argsOf(entry, mutations.decideApplication)
  if (!decision || !describeEntry(entry).isConflict) return null
  const { name, status } = decision
  const theirs = current.safeParse(entry.refusal?.problem.current).data
  if (!theirs) return null
  const restored = entry.again ? 'The server was brought back to an earlier state. ' : ''
  const device = theirs.decidedOn ? `on ${theirs.decidedOn}` : 'on another device'
  const when = theirs.decidedAt ? ` at ${formatMoment(theirs.decidedAt, now)}` : ''
  const where = theirs.status === 'pending' ? '' : ` ${device}${when}`
  return {
    name,
    mine: status,
    theirs: theirs.status,
    sentence: `${restored}${name} ${whatHappened[theirs.status]}${where}; this device ${status} them at ${formatMoment(describeEntry(entry).madeAt, now)}.`,
  }
}
