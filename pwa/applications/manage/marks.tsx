import { Star, UserRound, UserRoundCheck } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { longestNote } from '#shared/applications/application-record.ts'
import { serverNow, type ApplicationRow, enqueueShown, mutations } from '../../sync/index.ts'
import { toastFailure } from '../../ui/forms/failure-toast.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextareaField } from '../../ui/text-field.tsx'
import { formatClock, formatDay } from '../../ui/page/local-time.ts'
import { announce } from '../../ui/live-region.tsx'
import { arrivalWords, type Arrivals } from './arrivals.ts'
import { fullName } from './shown-applicant.ts'

export interface MarkActions {
  onStar: (row: ApplicationRow, starred: boolean) => void
  /** @returns false when it could not be stored here. `seen`: the note it replaces */
  onNote: (row: ApplicationRow, note: string, seen: string | null) => Promise<boolean>
  onForgetNote: (row: ApplicationRow, note: string) => void
  onChangesSeen: (row: ApplicationRow, at: string) => void
  /** @param present null takes the answer about the day back */
  onPresent: (row: ApplicationRow, present: boolean | null, day: string, arrivals: Arrivals) => void
  /** @param post null for none. @returns false when one of them could not be stored here */
  onPost: (rows: readonly ApplicationRow[], post: string | null) => Promise<boolean>
}

type Mark = Omit<mutations.MarkApplication, 'applicationId' | 'eventId' | 'name'>

export function useMarks(userId: number | null): MarkActions {
  return useMemo(() => {
    async function keep({ application }: ApplicationRow, mark: Mark, said: string): Promise<boolean> {
      const { id, eventId } = application
      try {
        const args = {
          applicationId: id,
          eventId,
          name: fullName(application),
          ...mark,
        }
        await enqueueShown(mutations.markApplication, args, { userId })
        announce(said)
        return true
      } catch (error) {
        toastFailure('Not saved', error)
        return false
      }
    }
    return {
      onStar: (row, starred) =>
        void keep(row, { starred }, `${starred ? 'Starred' : 'Star removed from'} ${fullName(row.application)}.`),
      onNote: (row, note, seen) => keep(row, { note, noteOver: seen }, 'Note saved on this device.'),
      onForgetNote: (row, note) => void keep(row, { forgetNote: note }, 'Note removed.'),
      onChangesSeen: (row, at) => void keep(row, { changesSeen: at }, 'You have agreed to the changes.'),
      onPresent(row, present, day, { isOver, pastDays, seenAt }) {
        const isPast = isOver || pastDays.includes(day)
        const said = present === null ? 'has no answer now' : present ? 'came' : 'did not come'
        const saidToday = present ? 'is here today' : 'is not here'
        const mark = present ? { present, day, seenAt: seenAt(serverNow(), day).toISOString() } : { present, day }
        void keep(row, mark, `${fullName(row.application)} ${isPast ? said : saidToday}.`)
      },
      async onPost(rows, post) {
        const said = post === null ? 'Post removed.' : `${rows.length === 1 ? 'Post' : 'Posts'} saved on this device.`
        const kept = await Promise.all(rows.map(async (row) => await keep(row, { post }, said)))
        return kept.every(Boolean)
      },
    }
  }, [userId])
}

export function StarButton({ row, actions }: { row: ApplicationRow; actions: MarkActions }) {
  const { starred } = row.application
  return (
    <IconButton
      label={`Star ${fullName(row.application)}`}
      aria-pressed={starred}
      className={starred ? 'text-signal' : 'text-muted'}
      onClick={() => actions.onStar(row, !starred)}
    >
      <Star className={`size-5 ${starred ? 'fill-current' : ''}`} />
    </IconButton>
  )
}

export function HereButton(props: {
  row: ApplicationRow
  arrivals: Arrivals
  actions: MarkActions
  compact?: boolean
}) {
  const { row, arrivals, actions, compact = false } = props
  const { day } = arrivals
  if (day === null) return null
  const here = arrivals.of(row.application)
  const words = arrivalWords(arrivals)
  const Icon = here ? UserRoundCheck : UserRound
  return (
    <Button
      variant={here ? 'chosen' : 'secondary'}
      size={compact ? 'small' : 'normal'}
      className={compact ? 'touch-target sm:min-h-9 sm:py-0' : ''}
      aria-pressed={here}
      aria-label={`${words.long}: ${fullName(row.application)}`}
      icon={<Icon className="size-4" />}
      onClick={() => actions.onPresent(row, here ? null : true, day, arrivals)}
    >
      {compact ? words.short : words.long}
    </Button>
  )
}

/** The note is saved on blur, Save and close. */
export function NoteEditor({ row, actions }: { row: ApplicationRow; actions: MarkActions }) {
  const { note } = row.application
  const [typed, setTyped] = useState(note ?? '')
  const [base, setBase] = useState(note)
  /** The stored note shown last: one that arrives during typing was not seen. */
  const [seen, setSeen] = useState(note)
  const [saving, setSaving] = useState<{ text: string; hasFailed: boolean } | null>(null)
  // Another device's note shows unless something else is being typed, or was and found no room.
  if (note !== base) {
    setBase(note)
    if (typed.trim() === (base ?? '') && typed.trim() !== saving?.text) setTyped(note ?? '')
    if (typed.trim() === (base ?? '') || typed.trim() === (note ?? '')) setSeen(note)
  }
  const changed = typed.trim() !== (note ?? '')
  function save() {
    const text = typed.trim()
    if (!changed || (saving?.text === text && !saving.hasFailed)) return
    setSaving({ text, hasFailed: false })
    void actions.onNote(row, text, seen).then((done) => {
      if (done) setSeen(text || null)
      setSaving(done ? null : { text, hasFailed: true })
    })
  }
  // Escape closes the dialog without a blur.
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
      <OtherNotes row={row} actions={actions} />
    </div>
  )
}

/** Another device overwrote them unseen; restoring one replaces the newest. */
function OtherNotes({ row, actions }: { row: ApplicationRow; actions: MarkActions }) {
  const { note: newest, otherNotes = [] } = row.application
  if (otherNotes.length === 0) return null
  return (
    <section aria-labelledby="other-notes" className="rounded-box bg-quiet-soft p-4">
      <h3 id="other-notes" className="text-base font-medium">
        {otherNotes.length === 1 ? 'Another note was written elsewhere' : 'Other notes were written elsewhere'}
      </h3>
      <ul>
        {otherNotes.map(({ note, at, device }) => (
          <li key={note} className="border-t border-base-300 py-3 first:border-0 last:pb-0">
            <p className="break-words whitespace-pre-line">{note}</p>
            {(device !== null || at !== null) && (
              <p className="text-sm text-muted">
                {[device, at && `${formatDay(at)}, ${formatClock(at)}`].filter(Boolean).join(' · ')}
              </p>
            )}
            <div className="mt-2 flex flex-wrap gap-2">
              <Button variant="secondary" size="small" onClick={() => void actions.onNote(row, note, newest)}>
                Bring It Back
              </Button>
              <Button variant="ghost" size="small" onClick={() => actions.onForgetNote(row, note)}>
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
