import { readDraft } from '../../device/drafts.ts'
import { dropDraft, keepDraft, useKeptDrafts } from '../../device/kept-drafts.ts'
import { accountPrefix } from '../../device/session/acting.ts'
import { paths } from '../../paths.ts'
import { useFormDraft, type FormDraft } from '../../ui/forms/draft-notice.tsx'
import type { EventFormValues } from './event-form-values.ts'

/** `basis` is null for a new event. */
interface EventDraft {
  readonly values: EventFormValues
  readonly basis: string | null
}

/** @param form names the form within the account: `new`, `12`, `12/resend/40` */
export const useEventDraft = (userId: number, form: string): FormDraft<EventDraft> => useFormDraft(keyOf(userId, form))

const keyOf = (userId: number, form: string) => `${accountPrefix(userId)}event/${form}`

/** Names the form that publishes a draft of the builder. What is typed there is kept as a copy of that draft. */
export const publishingForm = ({ id }: Pick<SavedEventDraft, 'id'>): string => `new/from-draft/${id}`

/** Leaves out a copy that is older than its draft: the builder has been used since. */
export function withoutOlderCopy<D extends Pick<FormDraft<EventDraft>, 'restored' | 'foundAt'>>(
  copy: D,
  drafted: Pick<SavedEventDraft, 'savedAt'> | null,
): D {
  const isOlder = drafted !== null && copy.foundAt !== null && copy.foundAt <= drafted.savedAt
  return isOlder ? { ...copy, restored: null } : copy
}

interface UnpublishedForm {
  readonly key: string
  readonly title: string
  /** Opens the form with what was written. */
  readonly to: string
}

/** Returns undefined for the form of a refused creation, to which its own card leads. */
export function addressOfForm(form: string): string | undefined {
  const [, origin, id] = form.split('/')
  if (origin === undefined) return paths.createEvent
  const query = { 'from-draft': 'draft', template: 'template' }[origin]
  return query && `${paths.createEvent}?${query}=${id}`
}

/** Lists the forms of new events that have a name and were not published, such as those that wait for a payment. */
export function useUnpublishedForms(userId: number): readonly UnpublishedForm[] {
  return useKeptDrafts<EventDraft>(keyOf(userId, 'new')).drafts.flatMap(({ key, value }) => {
    const title = value.values.name.trim()
    const to = addressOfForm(key.slice(keyOf(userId, '').length))
    return title === '' || to === undefined ? [] : [{ key, title, to }]
  })
}

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
  return `${userId === null ? 'visitor/' : accountPrefix(userId)}event-draft/${id}`
}

function titleOf({ name, values }: DraftedEvent): string {
  return name?.trim() || values.name.trim() || 'Untitled event'
}

/** Lists an account's drafts and those written while signed out, never another account's. */
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

/**
 * Removes a draft with its copy of the form that publishes it.
 * @returns puts back what was removed
 */
export async function removeEventDraft(userId: number | null, draft: SavedEventDraft): Promise<() => Promise<void>> {
  const keys = [draft.key, ...(userId === null ? [] : [keyOf(userId, publishingForm(draft))])]
  const removed = await Promise.all(keys.map((key) => readDraft(key)))
  await Promise.all(keys.map(dropDraft))
  return async () => {
    for (const one of removed) if (one) await keepDraft(one)
  }
}
