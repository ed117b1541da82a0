import { fileNameOf } from '#shared/text/file-name.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { questionnaire, applicationRecord, questionText } from '#shared/applications/application-record.ts'
import { cameOn, daysOf } from '#shared/applications/presence.ts'
import { todayIn, wallClockIn } from '#shared/time/event-time.ts'
import { namesOf } from '#shared/record/record.ts'
import { statusWords } from '../../ui/status-badge.tsx'
import { shownStatus } from './shown-applicant.ts'

/** Excel needs it to read UTF-8. */
const byteOrderMark = '\uFEFF'

/**
 * Where a spreadsheet may see a formula: at =, +, -, @ and their full-width forms, after blanks and invisible
 * characters. In some locales a semicolon, tab or line break ends a cell despite the quotes.
 */
const beginsFormula = /(^|[;\t\r\n])([\s\p{Cc}\p{Cf}"']*)([=+\-@＝＋－＠])/gu

/** An apostrophe before each possible formula keeps it a text. */
function cell(text: string): string {
  const harmless = text.replace(beginsFormula, "$1$2'$3")
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

type Column = readonly [header: string, of: (application: ApplicationDocument) => string | null]

/** Lists the event's present questions, then earlier ones. */
function questionsOf(event: EventDocument, applications: readonly ApplicationDocument[]): string[] {
  const asked = applications.flatMap(({ customAnswers }) => customAnswers.map(({ question }) => question))
  return [...new Set([...event.customQuestions, ...asked].map(questionText))]
}

type Written = Exclude<keyof typeof applicationRecord, 'customAnswers'>
const written = namesOf(applicationRecord).filter((name): name is Written => name !== 'customAnswers')
const isAsked = (name: string) => questionnaire.some((asked) => asked === name)

const columnOf = (name: Written): Column => [
  applicationRecord[name].label.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  (one) => one[name],
]

function cameColumns(event: EventDocument): Column[] {
  const days = daysOf(event)
  return days.map((day) => [
    days.length === 1 ? 'Came' : `Came ${day}`,
    (one) => {
      const answer = cameOn(one, event, day)
      return answer === undefined ? null : answer ? 'Yes' : 'No'
    },
  ])
}

function columnsOf(event: EventDocument, applications: readonly ApplicationDocument[]): Column[] {
  const moment = (instant: string | null) => {
    if (instant === null) return null
    const { date, time } = wallClockIn(event.timeZone, new Date(instant))
    return `${date} ${time}`
  }
  return [
    ...written.filter((name) => !isAsked(name)).map(columnOf),
    ['Status', (one) => statusWords[shownStatus(one)]],
    ['Walk-In', ({ walkedIn }) => (walkedIn ? 'Yes' : 'No')],
    ['Applied', (one) => moment(one.createdAt)],
    ['Decided', (one) => moment(one.decidedAt)],
    ['Coming', ({ coming }) => (coming === undefined ? null : coming ? 'Yes' : 'No')],
    ['Arrived', (one) => moment(one.arrivedAt)],
    ...cameColumns(event),
    ['Starred', (one) => (one.starred ? 'Yes' : 'No')],
    ['Private Note', (one) => one.note],
    ...questionnaire.map(columnOf),
    ...questionsOf(event, applications).map((question): Column => [
      question,
      ({ customAnswers }) => customAnswers.find((one) => questionText(one.question) === question)?.answer ?? null,
    ]),
  ]
}

/** Writes one line per application and a column per custom question. Times are the venue's. */
export function applicationsCsv(event: EventDocument, applications: readonly ApplicationDocument[]): string {
  const columns = columnsOf(event, applications)
  const lines = [
    columns.map(([header]) => cell(header)),
    ...applications.map((application) => columns.map(([, of]) => cell(of(application)?.trim() ?? ''))),
  ]
  return byteOrderMark + lines.map((line) => `${line.join(',')}\r\n`).join('')
}

/** The name is valid on every file system: 'founders-mixer-applications-2026-12-01.csv'. */
export function csvFileName(event: Pick<EventDocument, 'id' | 'name' | 'timeZone'>, now: Date): string {
  return `${fileNameOf(event.name) || `event-${event.id}`}-applications-${todayIn(event.timeZone, now)}.csv`
}
