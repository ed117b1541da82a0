import { keepDraft, useKeptDrafts } from '../../device/kept-drafts.ts'
import { useFormDraft, type FormDraft } from '../../ui/forms/draft-notice.tsx'
import type { EventFormValues } from './event-form-values.ts'

/** What is kept of an event form: its text, and the basis of the event it was begun on (null for a new event). */
interface EventDraft {
  readonly values: EventFormValues
  readonly basis: string | null
}

/**
 * The autosaved draft of an event form.
 * @param form names the form within the account: `new`, `12`, `12/resend/40`
 */
export const useEventDraft = (userId: number, form: string): FormDraft<EventDraft> =>
  useFormDraft(`user:${userId}/event/${form}`)

/** An unpublished event: its form's values, and the name its author gave the draft. */
export interface DraftedEvent {
  /** Null when none was given: the draft then has the event's name. */
  readonly name: string | null
  readonly values: EventFormValues
}

export interface SavedEventDraft {
  /** Names it in an address. */
  readonly id: string
  /** Where it is kept; begins with whose it is. */
  readonly key: string
  readonly title: string
  readonly drafted: DraftedEvent
  readonly savedAt: string
}

/** Where the drafts of an account are kept, or those written on this device while signed out (null). */
export function eventDraftKey(userId: number | null, id = ''): string {
  return `${userId === null ? 'visitor' : `user:${userId}`}/event-draft/${id}`
}

/** What a draft is called: its own name, else the event's. */
function titleOf({ name, values }: DraftedEvent): string {
  return name?.trim() || values.name.trim() || 'Untitled event'
}

/**
 * The event drafts that may be continued: an account's own, and those written on this device while signed out.
 * Another account's are never among them.
 */
export function useSavedEventDrafts(userId: number | null): {
  readonly status: 'loading' | 'ready'
  readonly drafts: readonly SavedEventDraft[]
} {
  const prefixes = userId === null ? [eventDraftKey(null)] : [eventDraftKey(null), eventDraftKey(userId)]
  const { status, drafts } = useKeptDrafts<DraftedEvent>(...prefixes)
  return {
    status,
    drafts: drafts.map(({ key, value, savedAt }) => ({
      id: key.slice(key.lastIndexOf('/') + 1),
      key,
      title: titleOf(value),
      drafted: value,
      savedAt,
    })),
  }
}

/** Gives a draft another name; an empty one gives it the event's again. */
export async function renameEventDraft({ key, drafted, savedAt }: SavedEventDraft, name: string): Promise<void> {
  await keepDraft({ key, value: { ...drafted, name: name.trim() || null }, savedAt })
}
