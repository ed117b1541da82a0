import type { BrowserError } from '#shared/admin/browser-error-calls.ts'
import type { Handlers } from '../calls/handler.ts'
import { withTextDates } from '../db/column-names.ts'
import type { BrowserErrorRow } from '../db/rows/operation-rows.ts'
import { countBrowserErrors, listBrowserErrors } from './browser-error-store.ts'

const shownAtMost = 200

export const browserErrorHandlers = {
  reportErrors: async ({ db, body, now, spend, address }) => {
    await spend('error-report', address, body.errors.length)
    await countBrowserErrors(db, body.errors, now)
    return undefined
  },
  listBrowserErrors: async ({ db }) => (await listBrowserErrors(db, shownAtMost)).map(presentBrowserError),
} satisfies Partial<Handlers>

function presentBrowserError({ hash, frames, ...row }: BrowserErrorRow): BrowserError {
  return { id: hash, ...withTextDates(row), frames: frames.split('\n') }
}
