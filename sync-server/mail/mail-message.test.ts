import { describe, expect, it } from 'vitest'
import { composeMail } from './mail-message.ts'

const to = { name: 'Bea Moss', address: 'bea@example.com' }
const origin = 'https://beaconry.example'

describe('a mail', () => {
  it('has a subject and a name of one line each, nothing that reads as another header', () => {
    const mail = composeMail(
      {
        to: { name: 'Bea\r\nBcc: eve@example.com', address: to.address },
        subject: 'Hello\r\nBcc: eve@example.com\u202e\u0000 there',
        text: 'Hi',
      },
      origin,
    )
    expect(mail.subject).toBe('Hello Bcc: eve@example.com  there')
    expect(mail.to).toEqual({ name: 'Bea Bcc: eve@example.com', address: 'bea@example.com' })
  })

  it('has no subject or name that a mail program decodes into another one', () => {
    const typed = '=?utf-8?Q?=0D=0ABcc:_eve@evil.example?='
    const mail = composeMail({ to: { ...to, name: typed }, subject: typed, text: 'Hi' }, origin)
    expect([mail.subject, mail.to.name]).toEqual(Array(2).fill('= ?utf-8?Q?=0D=0ABcc:_eve@evil.example?='))
  })

  it('says the same in both parts; what somebody wrote is neither markup nor a link', () => {
    const text = 'Hi <b>Bea</b> & "Bo",\nsee https://evil.example\n\nBye'
    const { html, ...mail } = composeMail({ to, subject: 'Hi', text }, origin)
    expect(mail.text).toBe(text)
    expect(html).toContain(
      'Hi &lt;b&gt;Bea&lt;/b&gt; &amp; &quot;Bo&quot;,<br>see https<span>://</span>evil<span>.</span>example</p>',
    )
    expect(html).toMatch(/<p [^>]*>Bye<\/p>/)
    expect(html).not.toMatch(/<a |<b>/)
  })

  it('lists facts with what they were, then the button and the small print, in both parts', () => {
    const { text, html, headers } = composeMail(
      {
        to,
        subject: 'Moved',
        heading: 'Harbor Night has moved',
        text: 'Hi Bea,',
        facts: [
          { label: 'When', value: 'March 2', was: 'March 1' },
          { label: 'Where', value: 'Pier <4>' },
        ],
        closing: 'See you there!',
        action: { label: 'See the event', path: '/events/7' },
        reason: 'You are a Beacon for Harbor Night.',
        unsubscribe: { label: 'Stop these emails', path: '/unsubscribe/abc' },
      },
      origin,
    )
    expect(text).toBe(`Hi Bea,

When: March 2
  (was: March 1)
Where: Pier <4>

See you there!

See the event: https://beaconry.example/events/7

-- 
You are a Beacon for Harbor Night.
Stop these emails: https://beaconry.example/unsubscribe/abc`)
    expect(html.match(/<a [^>]*href="[^"]*"/g)).toEqual([
      expect.stringContaining('href="https://beaconry.example/events/7"'),
      expect.stringContaining('href="https://beaconry.example/unsubscribe/abc"'),
    ])
    expect(html).toMatch(/<h1 [^>]*>Harbor Night has moved<\/h1>/)
    expect(html).toContain('was <s>March 1</s>')
    expect(html).toContain('Pier &lt;4&gt;')
    expect(headers).toEqual({
      'List-Unsubscribe': '<https://beaconry.example/unsubscribe/abc>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })

  it.each([
    'https://evil.example',
    '//evil.example',
    '/events/1"><b>',
    '/a b',
    'javascript:alert(1)',
    '/\\evil.example',
  ])('is never made with a link to %s', (path) => {
    const make = () => composeMail({ to, subject: 'Hi', text: 'Hi', action: { label: 'Open', path } }, origin)
    expect(make).toThrow('A mail may only lead to a page of ours')
  })
})
