import { keepDraft, useKeptDrafts } from '../../device/kept-drafts.ts'
import { useFormDraft, type FormDraft } from '../../ui/forms/draft-notice.tsx'
import type { EventFormValues } from './event-form-values.ts'

/** `basis` is null for a new event. */
interface EventDraft {
  readonly values: EventFormValues
  readonly basis: string | null
}

/** @param form names the form within the account: `new`, `12`, `12/resend/40` */
export const useEventDraft = (userId: number, form: string): FormDraft<EventDraft> =>
  useFormDraft(`user:${userId}/event/${form}`)

export interface DraftedEvent {
  /** Null: the draft has the event's name. */
  readonly name: string | null
  readonly values: EventFormValues
}

export interface SavedEventDraft {
  readonly id: string
  /** Begins with the owner; see `eventDraftKey`. */
  readonly key: string
  readonly title: string
  readonly drafted: DraftedEvent
  readonly savedAt: string
}

/** `userId` is null for drafts written while signed out. */
export function eventDraftKey(userId: number | null, id = ''): string {
  return `${userId === null ? 'visitor' : `user:${userId}`}/event-draft/${id}`
}

function titleOf({ name, values }: DraftedEvent): string {
  return name?.trim() || values.name.trim() || 'Untitled event'
}

/** An account's drafts and those written while signed out, never another account's. */
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

export async function renameEventDraft({ key, drafted, savedAt }: SavedEventDraft, name: string): Promise<void> {
  await keepDraft({ key, value: { ...drafted, name: name.trim() || null }, savedAt })
}
