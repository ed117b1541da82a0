import { Copy, Pencil, RotateCcw, Trash2, type LucideIcon } from 'lucide-react'
import { moveLabel, type ApplicationStatus } from '#shared/applications/decide.ts'
import { mutations, type OutboxItem, describeEntry } from '../sync/index.ts'
import { formatMoment } from '../ui/page/local-time.ts'
import { paths } from '../paths.ts'
import { hasPlans } from '../device/has-plans.ts'
import { Button, ButtonLink, type ButtonProps } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Glyph, statusWords } from '../ui/status-badge.tsx'
import {
  newEventAddressOf,
  contentOf,
  decisionConflictOf,
  differencesOf,
  editAddressOf,
  goneReasonOf,
  type DecisionConflict,
} from './change-content.ts'
import { repairs } from './repairs.ts'

export function ParkedCard(props: {
  item: OutboxItem
  /** `forWhom` makes it. */
  whom: string | undefined
  behind: readonly OutboxItem[]
  now: Date
}) {
  const { whom, behind, now } = props
  const { entry, reason } = props.item
  const about = describeEntry(entry)
  const { label } = about
  const conflict = decisionConflictOf(entry, now)
  const differences = differencesOf(entry)
  const isEdit = differences.length > 0
  const isDeletion = entry.mutation === mutations.deleteEvent.name && about.isConflict
  const content = isEdit ? [] : contentOf(entry)
  const needsPlan = hasPlans() && about.wantsPlan
  const newEvent = newEventAddressOf(entry)
  const edit = editAddressOf(entry)
  const discard = () => repairs.discard(entry)
  const retry = () => repairs.retry(entry)
  return (
    <Card as="li">
      <h2 className="flex items-start gap-2.5 text-xl">
        <Glyph of="needs-attention" className="mt-2 text-error" />
        {label}
      </h2>
      <p className="mt-1 text-sm text-muted">
        Made on this device {formatMoment(about.madeAt, now)}
        {whom && ` ${whom}`}
        {about.refusedAt && !about.isDamaged && ` · answered ${formatMoment(about.refusedAt, now)}`}
      </p>
      {conflict ? <ConflictFacts conflict={conflict} /> : <p className="mt-3">{goneReasonOf(entry) ?? reason}</p>}
      {isEdit && (
        <dl className="mt-4 flex flex-col gap-4">
          {differences.map(({ name, mine, theirs }) => (
            <div key={name}>
              <dt className="mb-1 font-medium">{name}</dt>
              <dd className="grid gap-2 sm:grid-cols-2">
                <Side title="On the server" text={theirs} />
                <Side title="On this device" text={mine} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {/* The whole change, folded away: nothing of it is lost. */}
      {content.length > 0 && (
        <details className="mt-3">
          <summary className="flex min-h-11 cursor-pointer items-center font-medium underline underline-offset-4">
            What is in it
          </summary>
          <div className="mt-2 rounded-field bg-quiet-soft p-4">
            <DefinitionList items={content.map(({ name, value }) => ({ term: name, detail: value }))} />
          </div>
        </details>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        {conflict ? (
          <ConflictChoice conflict={conflict} onKeep={discard} onSend={retry} />
        ) : (
          <>
            {needsPlan && <ButtonLink to={paths.pricing}>Choose a Plan</ButtonLink>}
            {about.isIdTaken && (
              <Action
                text="Create Again Under Another Number"
                about={label}
                variant="primary"
                onClick={() => repairs.giveOtherId(entry)}
              />
            )}
            {newEvent && <Action text="Create as a New Event" about={label} to={newEvent} variant="primary" />}
            {edit && !about.isIdTaken && (
              <Action
                text="Edit and Resend"
                about={label}
                icon={Pencil}
                to={edit}
                variant={needsPlan ? 'secondary' : 'primary'}
              />
            )}
            {about.args !== undefined && !about.isIdTaken && (
              <Action
                text={isDeletion ? 'Delete Anyway' : isEdit ? 'Send Mine' : 'Retry'}
                about={label}
                icon={isDeletion ? Trash2 : RotateCcw}
                variant={isDeletion ? 'danger-quiet' : 'secondary'}
                onClick={retry}
              />
            )}
            {isDeletion ? (
              <Action text="Keep the Event" about={label} variant="secondary" onClick={discard} />
            ) : (
              <Action
                text={isEdit ? 'Keep Theirs' : 'Discard'}
                about={label}
                icon={Trash2}
                variant="danger-quiet"
                onClick={discard}
              />
            )}
          </>
        )}
        <Action text="Copy" about={label} icon={Copy} variant="ghost" onClick={() => repairs.copy(entry)} />
      </div>
      {behind.length > 0 && (
        <div className="mt-5 border-t border-base-300 pt-4">
          <p className="text-sm text-muted">Waiting behind it</p>
          <ul className="mt-1 flex flex-col gap-1">
            {behind.map(({ entry: blocked }) => (
              <li key={blocked.seq} className="flex items-center justify-between gap-3">
                <span className="min-w-0">{describeEntry(blocked).label}</span>
                <Action
                  text="Discard"
                  about={describeEntry(blocked).label}
                  variant="ghost"
                  size="small"
                  onClick={() => repairs.discard(blocked)}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}

/** Adds what it is about for screen readers. */
function Action(
  props: Pick<ButtonProps, 'variant' | 'size'> & {
    text: string
    about: string
    icon?: LucideIcon
    to?: string
    onClick?: () => void
  },
) {
  const { text, about, icon: Icon, to, onClick, ...look } = props
  const shown = {
    ...look,
    'aria-label': `${text}: ${about}`,
    icon: Icon && <Icon className="size-4" />,
    children: text,
  }
  return to === undefined ? <Button {...shown} onClick={onClick} /> : <ButtonLink {...shown} to={to} />
}

function ConflictFacts({ conflict: { sentence, theirs, mine } }: { conflict: DecisionConflict }) {
  return (
    <div className="mt-3">
      <p>{sentence}</p>
      <dl className="mt-3 grid grid-cols-2 gap-3">
        <ConflictSide title="On the server" status={theirs} />
        <ConflictSide title="On this device" status={mine} />
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
        {statusWords[status]}
      </dd>
    </div>
  )
}

function ConflictChoice(props: { conflict: DecisionConflict; onKeep: () => void; onSend: () => void }) {
  const { onKeep, onSend } = props
  const { theirs, mine, name } = props.conflict
  const move = theirs === mine ? 'Send' : moveLabel(theirs, mine)
  return (
    <>
      <Action text={`Keep ${statusWords[theirs]}`} about={name} variant="secondary" onClick={onKeep} />
      <Action text={`${move} Anyway`} about={name} variant="secondary" onClick={onSend} />
    </>
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
