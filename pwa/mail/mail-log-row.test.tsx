import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it, vi } from 'vitest'
import type { EventMail } from '#shared/mail/mail-calls.ts'
import { MailRow } from './mail-log-row.tsx'

const now = new Date('2026-11-21T10:45:00')
const mail: EventMail = {
  id: 1,
  applicationId: 7,
  kind: 'decision',
  decision: 'approved',
  recipient: 'Bea Moss',
  subject: 'Welcome',
  state: 'sent',
  sendAt: '2026-11-21T10:40:00',
  sentAt: '2026-11-21T10:40:00',
  reason: null,
  createdAt: '2026-11-21T10:39:00',
}

it.each([
  ['a demo on its own machine', 'demo', 'localhost', '/mail-preview'],
  ['a demo on another machine', 'demo', '192.168.0.7', undefined],
  ['a real mail server', 'smtp', 'localhost', undefined],
] as const)('the log leads to the text of a mail of %s', (_whose, delivery, hostname, address) => {
  vi.stubGlobal('location', { hostname })
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <MailRow mail={mail} delivery={delivery} aheadMs={0} now={now} retry={undefined} onRetry={() => {}} named />
    </MemoryRouter>,
  )
  vi.unstubAllGlobals()
  expect(/<a href="([^"]+)"[^>]*>(<span>)?See the mail/.exec(html)?.[1]).toBe(address)
})
