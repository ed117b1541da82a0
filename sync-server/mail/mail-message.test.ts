import { describe, expect, it } from 'vitest'
import { composeMail } from './mail-message.ts'
import { testMail } from './test-mail.ts'

const to = { name: 'Bea Moss', address: 'bea@example.com' }

describe('a mail', () => {
  it('has a subject and a name of one line each, without anything a header could take for another one', () => {
    const mail = composeMail({
      to: { name: 'Bea\r\nBcc: eve@example.com', address: to.address },
      subject: 'Hello\r\nBcc: eve@example.com\u202e\u0000 there',
      text: 'Hi',
    })
    expect(mail.subject).toBe('Hello Bcc: eve@example.com  there')
    expect(mail.to).toEqual({ name: 'Bea Bcc: eve@example.com', address: 'bea@example.com' })
  })

  it('says the same in both parts; what somebody wrote is neither markup nor a link', () => {
    const text = 'Hi <b>Bea</b> & "Bo",\nsee https://evil.example\n\nBye'
    const { html, ...mail } = composeMail({ to, subject: 'Hi', text })
    expect(mail.text).toBe(text)
    expect(html).toContain('Hi &lt;b&gt;Bea&lt;/b&gt; &amp; &quot;Bo&quot;,<br>see https://evil.example</p>')
    expect(html).toMatch(/<p [^>]*>Bye<\/p>/)
    expect(html).not.toMatch(/<a |<b>/)
  })

  it('for trying out is the default approval with sample values, and says so', () => {
    const { subject, text } = testMail('olivia@example.com')
    expect(subject).toBe("Test: You're a Beacon for Sample Networking Evening!")
    expect(text).toMatch(/^This is a test email\./)
    expect(text).toContain('Hi Ana Sample,\n\nGreat news: you have been approved')
    expect(text).not.toContain('[')
  })
})
