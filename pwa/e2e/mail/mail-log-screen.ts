import type { MailLog } from '#shared/mail/mail-calls.ts'
import { headers } from '#shared/contract/request.ts'
import type { Page } from 'playwright/test'
import { screen, type Screen } from '../screen.ts'

/** The manage page at its emails. */
export function mailLogScreen(eventId: number): Screen {
  const log = `**/api/organizer/events/${eventId}/mails*`
  const panel = (page: Page) => page.getByRole('region', { name: 'Emails' })
  return screen(
    'manage-emails',
    async (page) => {
      await page.route(log, (route) => route.fulfill(someMails()))
      return `/events/manage/${eventId}`
    },
    (page) => panel(page).scrollIntoViewIfNeeded(),
    (page) => panel(page).getByRole('listitem'),
    (page) => page.unroute(log),
  )
}

/** A mail in every state: to have the real ones takes minutes and a mail server that refuses. */
function someMails(): { headers: Record<string, string>; json: MailLog } {
  const now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const mails = (
    [
      ['held', { sendAt: at(42_000) }],
      ['queued', { sendAt: at(90_000), reason: 'The mail server could not be reached.' }],
      ['sending', {}],
      ['failed', { reason: 'The mail server says that this address takes no mail.' }],
      ['cancelled', { subject: null }],
      ['sent', { sentAt: at(-600_000) }],
    ] as const
  ).map(([state, changes], place) => ({
    id: 20 - place,
    applicationId: 1,
    kind: 'decision' as const,
    decision: 'approved' as const,
    recipient: 'Bea Lindqvist',
    subject: state === 'held' || state === 'queued' ? null : "You're a Beacon for Harborlight Founders Night!",
    state,
    sendAt: at(-600_000),
    sentAt: null,
    reason: null,
    createdAt: at(-660_000),
    ...changes,
  }))
  const counts = { held: 1, queued: 1, sending: 1, failed: 1, cancelled: 1, sent: 1 }
  // Named as every answer of our server is.
  return { headers: { [headers.serverVersion]: '1' }, json: { mails, counts, delivery: 'smtp', at: at(0) } }
}
