import { useState } from 'react'
import { useDraft } from '../../device/drafts.ts'
import type { Draft } from '../../device/drafts.ts'
import type { EventFormValues } from './event-form-values.ts'

/** What is kept of an event form: its text, and the edition of the event it was begun on (0 for a new event). */
export interface EventDraft {
  readonly values: EventFormValues
  readonly edition: number
}

/**
 * The autosaved draft of an event form, and a number that changes when the form is to start over (as its React key).
 * @param form names the form within the account: `new`, `12`, `12/resend/40`
 */
export function useEventDraft(
  userId: number,
  form: string,
): Draft<EventDraft> & {
  readonly turn: number
  /** The draft as found, unless it was given up meanwhile. */
  readonly restored: EventDraft | null
  readonly startOver: () => void
} {
  const draft = useDraft<EventDraft>(`user:${userId}/event/${form}`)
  const [turn, setTurn] = useState(0)
  return {
    ...draft,
    turn,
    restored: turn === 0 ? draft.found : null,
    startOver() {
      void draft.clear()
      setTurn(turn + 1)
    },
  }
}
