import { mutations, outbox, readVisitorQueue } from '../sync/index.ts'
import { hasDatabase } from '../browser/browser-storage.ts'
import { ownApplicationSetting } from './opened-applications.ts'

interface Kept {
  readonly changes: boolean
  readonly drafts: boolean
  readonly applications: boolean
}

/** On an iPhone the app on the home screen does not see any of it. */
export async function findKeptInBrowser(): Promise<Kept> {
  const hasOutbox = await hasDatabase((name) => name === 'beaconry-outbox')
  const { receipts } = await readVisitorQueue()
  const { drafts, opened } = await countKept()
  return {
    changes: hasOutbox && (await outbox.count()) > 0,
    drafts: drafts > 0,
    applications: opened > 0 || receipts.some(({ mutation }) => mutation === mutations.applyAsBeacon.name),
  }
}

async function countKept() {
  if (!(await hasDatabase((name) => name === 'beaconry-device'))) return { drafts: 0, opened: 0 }
  const { deviceDb } = await import('./device-tables.ts')
  const opened = deviceDb.settings.where('name').startsWith(ownApplicationSetting(''))
  return { drafts: await deviceDb.drafts.count(), opened: await opened.count() }
}

const list = new Intl.ListFormat('en-US')

/** Returns null when nothing would be missed. */
export function staysText({ changes, drafts, applications }: Kept): string | null {
  const kept = [
    changes ? ['unsent changes'] : [],
    drafts ? ['drafts'] : [],
    applications ? ['application links'] : [],
  ].flat()
  return kept.length === 0 ? null : `Your ${list.format(kept)} stay in this browser: they do not move to the app.`
}
