import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { readMail, startSmtpService } from '../../testing/mail/smtp-service.ts'
import { setTestServer, startTestServer } from '../../testing/test-server.ts'

const mailFrom = { name: 'Beaconry, Inc.', address: 'hello@beaconry.example' }

const service = await startSmtpService()
const server = await setTestServer({ config: { smtpUrl: service.url, mailFrom } })
const olivia = await server.addMember('Olivia')
afterAll(() => service.close())
afterEach(async () => {
  service.received.length = 0
  await server.db('rate_limits').delete()
})

const send = (body: unknown, client = olivia) => client.call('sendTestEmail', { body })

describe('the test email', () => {
  it('arrives once, at one address, with a text part and an HTML part', async () => {
    const answer = await send({ email: ' bea@example.com ' })
    expect([answer.status, answer.body]).toEqual([200, { message: 'Test email sent to bea@example.com.' }])
    const [mail, ...more] = service.received
    expect(more).toEqual([])
    expect([mail?.from, mail?.to]).toEqual(['hello@beaconry.example', ['bea@example.com']])
    const { headers, parts, whole } = readMail(mail!)
    expect(headers).toMatchObject({
      from: '"Beaconry, Inc." <hello@beaconry.example>',
      to: 'bea@example.com',
      subject: "Test: You're a Beacon for Sample Networking Evening!",
      'auto-submitted': 'auto-generated',
    })
    expect(whole.map((part) => part.headers['content-type'])).toEqual([
      'text/plain; charset=utf-8',
      'text/html; charset=utf-8',
      'text/calendar; charset=utf-8; method=PUBLISH; name=sample-networking-evening.ics',
    ])
    expect(parts[0]).toMatch(/^This is a test email\.[^[]*Hi Ana Sample,[^[]*$/)
    expect(parts[1]).toMatch(/<p [^>]*>Hi Ana Sample,<\/p>/)
    expect(parts[2]).toContain('BEGIN:VEVENT')
  })

  it.each([
    ['without an address', {}, 'Please enter an email address to send the test email to.'],
    ['with an empty one', { email: ' ' }, 'Please enter an email address to send the test email to.'],
    ['with two', { email: 'bea@example.com, bo@example.com' }, 'Please enter a valid email address'],
    ['with a header in it', { email: 'bea@example.com\r\nBcc: bo@example.com' }, 'Please enter a valid email address'],
  ])('is refused %s', async (_what, body, message) => {
    const answer = await send(body)
    expect([answer.status, answer.body.message]).toEqual([400, message])
    expect(service.received).toEqual([])
  })

  it('is sent three times an hour to each person, not more', async () => {
    for (let round = 0; round < 3; round++) expect((await send({ email: 'bea@example.com' })).status).toBe(200)
    const fourth = await send({ email: 'bo@example.com' })
    expect([fourth.status, fourth.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(3000)
    const otto = await server.addMember('Otto')
    expect((await send({ email: 'bo@example.com' }, otto)).status).toBe(200)
    expect(service.received).toHaveLength(4)
  })

  it('says that it failed when the mail server refuses, and the log names nobody', async () => {
    service.refused.set('gone@example.com', 550)
    const answer = await send({ email: 'gone@example.com' })
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      503,
      'unavailable',
      'Failed to send test email',
    ])
    expect(server.log.join('')).toContain('550')
    expect(server.log.join('')).not.toContain('gone@example.com')
  })
})

describe('a demo without a mail server', () => {
  it('keeps the mail and shows it to this machine as text, whatever stands in it', async () => {
    const demo = await startTestServer({ db: server.db })
    const client = demo.client()
    await client.signInAs(olivia.userId)
    const answer = await client.call('sendTestEmail', { body: { email: 'bea@example.com' } })
    expect(answer.body.message).toContain('/mail-preview')
    await server.db('demo_mails').update({ subject: '<script>alert(1)</script>' })
    const page = await client.request('GET', '/mail-preview')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Hi Ana Sample,')
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page.text).not.toContain('<script>')
    expect(page.text).toContain('With sample-networking-evening.ics')
    expect(page.text).toMatch(/<iframe [^>]*sandbox="allow-popups[^>]*srcdoc="&lt;!doctype html&gt;/)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    await demo.close()
  })

  it.each([
    ['on a real server', { demoMode: false }],
    ['on a demo for everyone', { publicOrigin: 'https://beaconry.example' }],
    ['where mail is delivered', { smtpUrl: 'smtp://127.0.0.1:1' }],
  ])('shows nothing %s', async (_where, config) => {
    const other = await startTestServer({ db: server.db, config })
    const page = await other.client().request('GET', '/mail-preview')
    expect(page.text).not.toContain('Mail preview')
    await other.close()
  })

  it('is the only one that swallows mail: a real server without one says that it failed', async () => {
    const real = await startTestServer({ db: server.db, config: { demoMode: false } })
    const client = real.client()
    await client.signInAs(olivia.userId)
    const answer = await client.call('sendTestEmail', { body: { email: 'bea@example.com' } })
    expect([answer.status, answer.body.message]).toEqual([503, 'Failed to send test email'])
    await real.close()
  })
})
