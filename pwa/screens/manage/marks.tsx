import { Star, UserRound, UserRoundCheck } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { longestNote } from '#shared/domain/application.ts'
import type { ApplicationRow } from '../../replica/rows.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextareaField } from '../../ui/textarea-field.tsx'
import { fullName } from './applicant.ts'
import type { MarkActions } from './use-marks.ts'

/** The star of one applicant, pressed or not. */
export function StarButton({ row, actions }: { row: ApplicationRow; actions: MarkActions }) {
  const { starred } = row.application
  return (
    <IconButton
      label={`Star ${fullName(row.application)}`}
      aria-pressed={starred}
      className={starred ? 'text-signal' : 'text-muted'}
      onClick={() => actions.onStar(row, !starred)}
    >
      <Star aria-hidden="true" className={`size-5 ${starred ? 'fill-current' : ''}`} />
    </IconButton>
  )
}

/** "Here today" for an approved Beacon, pressed once they were seen; `compact` says less of it, where a list says it often. */
export function HereButton({
  row,
  here,
  actions,
  compact = false,
}: {
  row: ApplicationRow
  here: boolean
  actions: MarkActions
  compact?: boolean
}) {
  const Icon = here ? UserRoundCheck : UserRound
  return (
    <Button
      variant={here ? 'chosen' : 'secondary'}
      size={compact ? 'small' : 'normal'}
      aria-pressed={here}
      aria-label={`Here today: ${fullName(row.application)}`}
      icon={<Icon aria-hidden="true" className="size-4" />}
      onClick={() => actions.onPresent(row, !here)}
    >
      {compact ? 'Here' : 'Here today'}
    </Button>
  )
}

/** The private note: kept when it is left or Save is pressed, and shown to nobody else. */
export function NoteEditor({ row, actions }: { row: ApplicationRow; actions: MarkActions }) {
  const { note } = row.application
  const [typed, setTyped] = useState(note ?? '')
  const [base, setBase] = useState(note)
  // A note that arrives from another device shows, unless something else is being typed here.
  if (note !== base) {
    setBase(note)
    if (typed.trim() === (base ?? '')) setTyped(note ?? '')
  }
  const kept = useRef(note ?? '')
  const changed = typed.trim() !== (note ?? '')
  function save() {
    const text = typed.trim()
    if (!changed || kept.current === text) return
    kept.current = text
    void actions.onNote(row, text).then((done) => {
      if (!done) kept.current = note ?? ''
    })
  }
  // Escape closes the dialog without leaving the field first.
  const saveOnClose = useEffectEvent(save)
  useEffect(() => () => saveOnClose(), [])
  return (
    <div className="flex flex-col gap-2">
      <TextareaField
        label="Private note"
        hint="Only you see this: never public, never shown to the applicant."
        optional
        rows={2}
        maxLength={longestNote}
        value={typed}
        className="min-h-20"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={save}
      />
      {changed && (
        <div className="flex justify-end">
          <Button variant="secondary" size="small" onClick={save}>
            Save Note
          </Button>
        </div>
      )}
    </div>
  )
}
