import { Copy, Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { findKnown } from '../outbox/mutations/mutations.ts'
import { damagedCode } from '../outbox/store/outbox-shape.ts'
import { byServerClock } from '../api/server-time.ts'
import { entryLabel } from '../session/entry-label.ts'
import type { OutboxItem } from '../session/use-outbox.ts'
import { moveLabel } from '#shared/applications/application-status.ts'
import type { ApplicationStatus, Decision } from '#shared/applications/application-status.ts'
import { paths } from '../paths.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Glyph } from '../ui/status-mark.tsx'
import { formatMoment } from '../page/local-time.ts'
import { anewAddressOf, contentOf, differencesOf, editAddressOf, goneReasonOf } from './change-content.ts'
import type { Difference } from './change-content.ts'
import { decisionConflictOf } from './decision-conflict.ts'
import type { DecisionConflict } from './decision-conflict.ts'
import type { Repairs } from './use-repairs.ts'

const icon = 'size-4'
const planCodes = new Set(['plan_limit', 'payment_required'])

/** A refused change: what was wanted, why not, and every way to put it right. What waits behind it stands below it. */
export function ParkedCard({
  item,
  behind,
  repairs,
  now,
  isWorthAnotherTry,
}: {
  item: OutboxItem
  behind: readonly OutboxItem[]
  repairs: Repairs
  now: Date
  /** Whoever runs the server says so. */
  isWorthAnotherTry: boolean
}) {
  const { entry } = item
  const label = entryLabel(entry)
  const conflict = decisionConflictOf(entry, now)
  const differences = differencesOf(entry)
  const needsPlan = planCodes.has(entry.refusal?.problem.code ?? '')
  return (
    <Card as="li">
      <h2 className="flex items-start gap-2.5 text-xl">
        <Glyph of="needs-attention" className="mt-2 text-error" />
        {label}
      </h2>
      <p className="mt-1 text-sm text-muted">
        Made on this phone {formatMoment(byServerClock(entry.createdAt), now)}
        {entry.refusal &&
          entry.refusal.problem.code !== damagedCode &&
          ` · answered ${formatMoment(byServerClock(entry.refusal.at), now)}`}
      </p>
      {conflict ? <ConflictFacts conflict={conflict} /> : <p className="mt-3">{goneReasonOf(entry) ?? item.reason}</p>}
      {differences.length > 0 && <Differences differences={differences} />}
      {differences.length === 0 && <Content item={item} />}
      {isWorthAnotherTry && !conflict && differences.length === 0 && (
        <div className="mt-4">
          <Alert variant="signal" title="Worth another try">
            Something was put right on our side since. Retry sends it again.
          </Alert>
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        {conflict ? (
          <ConflictChoice conflict={conflict} item={item} repairs={repairs} />
        ) : (
          <ParkedChoice item={item} repairs={repairs} isConflict={differences.length > 0} needsPlan={needsPlan} />
        )}
        <Button
          variant="ghost"
          icon={<Copy aria-hidden="true" className={icon} />}
          aria-label={`Copy: ${label}`}
          onClick={() => repairs.copy(entry)}
        >
          Copy
        </Button>
      </div>
      {behind.length > 0 && (
        <div className="mt-5 border-t border-base-300 pt-4">
          <p className="text-sm text-muted">Waiting behind it</p>
          <ul className="mt-1 flex flex-col gap-1">
            {behind.map((blocked) => (
              <li key={blocked.entry.seq} className="flex items-center justify-between gap-3">
                <span className="min-w-0">{entryLabel(blocked.entry)}</span>
                <Button
                  variant="ghost"
                  size="small"
                  aria-label={`Discard: ${entryLabel(blocked.entry)}`}
                  onClick={() => repairs.discard(blocked.entry)}
                >
                  Discard
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}

function ParkedChoice({
  item,
  repairs,
  isConflict,
  needsPlan,
}: {
  item: OutboxItem
  repairs: Repairs
  isConflict: boolean
  needsPlan: boolean
}) {
  const { entry } = item
  const label = entryLabel(entry)
  const edit = editAddressOf(entry)
  const anew = anewAddressOf(entry)
  return (
    <>
      {needsPlan && <ButtonLink to={paths.pricing}>Choose a Plan</ButtonLink>}
      {anew && (
        <ButtonLink to={anew} variant="primary" aria-label={`Create as a New Event: ${label}`}>
          Create as a New Event
        </ButtonLink>
      )}
      {edit && (
        <ButtonLink
          to={edit}
          variant={needsPlan ? 'secondary' : 'primary'}
          icon={<Pencil aria-hidden="true" className={icon} />}
          aria-label={`Edit and resend: ${label}`}
        >
          Edit and Resend
        </ButtonLink>
      )}
      {findKnown(entry) && (
        <Button
          variant="secondary"
          icon={<RotateCcw aria-hidden="true" className={icon} />}
          aria-label={`${isConflict ? 'Send mine' : 'Retry'}: ${label}`}
          onClick={() => repairs.retry(entry)}
        >
          {isConflict ? 'Send Mine' : 'Retry'}
        </Button>
      )}
      <Button
        variant="danger-quiet"
        icon={<Trash2 aria-hidden="true" className={icon} />}
        aria-label={`${isConflict ? 'Keep theirs' : 'Discard'}: ${label}`}
        onClick={() => repairs.discard(entry)}
      >
        {isConflict ? 'Keep Theirs' : 'Discard'}
      </Button>
    </>
  )
}

function ConflictFacts({ conflict: { sentence, theirs, mine } }: { conflict: DecisionConflict }) {
  return (
    <div className="mt-3">
      <p>{sentence}</p>
      <dl className="mt-3 grid grid-cols-2 gap-3">
        <ConflictSide title="On the server" status={theirs} />
        <ConflictSide title="On this phone" status={mine} />
      </dl>
    </div>
  )
}

function ConflictSide({ title, status }: { title: string; status: ApplicationStatus }) {
  return (
    <div className="rounded-field bg-quiet-soft p-3">
      <dt className="text-sm text-muted">{title}</dt>
      <dd className="flex items-center gap-2 font-medium">
        <Glyph of={status} />
        {stateWord(status)}
      </dd>
    </div>
  )
}

/** The two ways out of a conflict, named by what they lead to. */
function ConflictChoice({
  conflict,
  item,
  repairs,
}: {
  conflict: DecisionConflict
  item: OutboxItem
  repairs: Repairs
}) {
  const { theirs, mine, name } = conflict
  return (
    <>
      <Button
        variant="secondary"
        aria-label={`Keep ${stateWord(theirs)}: ${name}`}
        onClick={() => repairs.discard(item.entry)}
      >
        Keep {stateWord(theirs)}
      </Button>
      <Button
        variant="secondary"
        aria-label={`${moveWord(theirs, mine)} Anyway: ${name}`}
        onClick={() => repairs.retry(item.entry)}
      >
        {moveWord(theirs, mine)} Anyway
      </Button>
    </>
  )
}

const stateWord = (status: ApplicationStatus) =>
  ({ pending: 'Pending', approved: 'Approved', rejected: 'Rejected' })[status]
const moveWord = (from: ApplicationStatus, to: Decision) => (from === to ? 'Send' : moveLabel(from, to))

function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <dl className="mt-4 flex flex-col gap-4">
      {differences.map(({ name, mine, theirs }) => (
        <div key={name}>
          <dt className="mb-1 font-medium">{name}</dt>
          <dd className="grid gap-2 sm:grid-cols-2">
            <Side title="On the server" text={theirs} />
            <Side title="On this phone" text={mine} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Side({ title, text }: { title: string; text: string }) {
  return (
    <div className="rounded-field bg-quiet-soft p-3">
      <p className="text-sm text-muted">{title}</p>
      <p className="break-words whitespace-pre-line">{text || 'Empty'}</p>
    </div>
  )
}

/** What is in the change, folded away: nothing of it is lost. */
function Content({ item }: { item: OutboxItem }) {
  const lines = contentOf(item.entry)
  if (lines.length === 0) return null
  return (
    <details className="mt-3">
      <summary className="flex min-h-11 cursor-pointer items-center font-medium underline underline-offset-4">
        What is in it
      </summary>
      <div className="mt-2 rounded-field bg-quiet-soft p-4">
        <DefinitionList items={lines.map(({ name, value }) => ({ term: name, detail: value }))} />
      </div>
    </details>
  )
}
