import type { EntityTable } from 'dexie'
import { writeText } from '../browser/browser-storage.ts'
import { readJson } from '../browser/kept-json.ts'

export interface KeptDraft<T = unknown> {
  /** The key names account and form, such as `user:7/event/new` or `visitor/apply/12`. */
  key: string
  value: T
  savedAt: string
}

/** In localStorage: a page that is left can still write there at once, while its transactions are aborted. */
const name = 'beaconry-drafts'

type Left = Readonly<Record<string, Omit<KeptDraft, 'key'>>>

const readLeft = () => (readJson(name) ?? {}) as Left

function writeLeft(left: Left): void {
  writeText(name, Object.keys(left).length === 0 ? null : JSON.stringify(left))
}

/** Keeps a draft until the next start takes it in. */
export function keepLeftDraft({ key, ...draft }: KeptDraft): void {
  writeLeft({ ...readLeft(), [key]: draft })
}

/** Moves what pages kept while they were left into the drafts, where nothing newer is. */
export async function takeInLeftDrafts(drafts: EntityTable<KeptDraft, 'key'>): Promise<void> {
  for (const [key, draft] of Object.entries(readLeft())) {
    const known = await drafts.get(key)
    if (!known || known.savedAt < draft.savedAt) await drafts.put({ key, ...draft })
    // Another page may have been left in between.
    const { [key]: taken, ...others } = readLeft()
    if (taken?.savedAt === draft.savedAt) writeLeft(others)
  }
}

export function deleteLeftDrafts(prefix: string): void {
  writeLeft(Object.fromEntries(Object.entries(readLeft()).filter(([key]) => !key.startsWith(prefix))))
}
