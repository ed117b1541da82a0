import { afterEach, describe, expect, it } from 'vitest'
import { startSmtpService, type SmtpService } from '../testing/mail/smtp-service.ts'
import { createSmtpTransport, smtpOptionsOf } from './smtp-transport.ts'

let service: SmtpService | undefined
afterEach(async () => await service?.close())

const mail = {
  to: { name: 'Bea', address: 'bea@example.com' },
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  attachments: [],
  headers: {},
}

describe('the way to the mail server', () => {
  it.each([
    ['smtp://olivia:secret@mail.example:587', true],
    ['smtp://olivia:secret@192.0.2.7', true],
    ['smtp://mail.example?ignoreTLS=true', true],
    ['smtp://localhost.example', true],
    ['smtp://olivia:secret@mail.example?requireTLS=false', false],
    ['smtp://127.0.0.1:25', false],
    ['smtp://localhost', false],
    ['smtp://[::1]:25', false],
  ])('of %s needs STARTTLS: %s', (url, isRequired) => {
    const { requireTLS, ignoreTLS = false } = smtpOptionsOf(url)
    expect([requireTLS, ignoreTLS]).toEqual([isRequired, false])
  })

  it('is not gone without the encryption it needs, so that the password stays here', async () => {
    service = await startSmtpService()
    const { port } = new URL(service.url)
    const send = async (query: string) => {
      const transport = createSmtpTransport(`smtp://127.0.0.1:${port}${query}`, { name: 'B', address: 'b@example.com' })
      await transport.send(mail).finally(() => transport.close())
    }
    await expect(send('?requireTLS=true')).rejects.toMatchObject({ name: 'MailNotSent', outcome: 'later' })
    expect(service.received).toEqual([])
    await send('')
    expect(service.received).toHaveLength(1)
  })

  const sendTo = async (address: string) => {
    const transport = createSmtpTransport(service!.url, { name: 'B', address: 'b@example.com' })
    await transport.send({ ...mail, to: { name: 'Bea', address } }).finally(() => transport.close())
  }

  it.each([true, false])(
    'takes an international domain in the letters of the network (SMTPUTF8: %s)',
    async (offered) => {
      service = await startSmtpService(0, { takesUnicode: offered })
      await sendTo('post@пример.рф')
      expect(service.received[0]?.to).toEqual(['post@xn--e1afmkfd.xn--p1ai'])
      expect(service.received[0]?.raw).toContain('<post@xn--e1afmkfd.xn--p1ai>')
    },
  )

  it('takes letters of any script before the @ where the mail server does', async () => {
    service = await startSmtpService()
    await sendTo('josé@example.com')
    expect(service.received[0]?.to).toEqual(['josé@example.com'])
  })

  it('ends for good, with the reason, where the mail server takes no such letters', async () => {
    service = await startSmtpService(0, { takesUnicode: false })
    await expect(sendTo('josé@example.com')).rejects.toMatchObject({
      name: 'MailNotSent',
      outcome: 'never',
      message: 'the mail server takes no address with such letters before the @: it does not offer SMTPUTF8',
    })
    expect(service.received).toEqual([])
  })
})
