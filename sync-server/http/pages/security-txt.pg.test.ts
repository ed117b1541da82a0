import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../config.ts'
import { setTestServer } from '../../testing/test-server.ts'

const publicOrigin = 'https://beaconry.example'
let now = new Date('2026-11-22T10:00:00Z')

const config = { publicOrigin, securityContact: 'mailto:security@beaconry.example' }
const server = await setTestServer({ config, now: () => now })

const ask = () => server.client().request('GET', '/.well-known/security.txt')

describe('security.txt', () => {
  it('says where to report a weakness, in the fields of RFC 9116', async () => {
    const answer = await ask()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.text.split('\n')).toEqual([
      'Contact: mailto:security@beaconry.example',
      'Expires: 2027-05-21T10:00:00Z',
      'Preferred-Languages: en',
      `Canonical: ${publicOrigin}/.well-known/security.txt`,
      '',
    ])
  })

  it('never expires, however long the server runs', async () => {
    now = new Date('2031-01-01T00:00:00Z')
    const [, expires = ''] = /^Expires: (.*)$/m.exec((await ask()).text) ?? []
    expect(new Date(expires).getTime()).toBeGreaterThan(now.getTime())
    expect(new Date(expires).getTime()).toBeLessThan(now.getTime() + 366 * 86_400_000)
  })

  it.each([
    [{}, null],
    [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'Beaconry <hello@venue.test>' }, 'mailto:hello@venue.test'],
    [{ SECURITY_CONTACT: 'https://venue.test/report' }, 'https://venue.test/report'],
  ])('with the settings %j names %s', (settings, contact) => {
    const loaded = loadConfig(settings)
    expect(loaded.ok && loaded.config.securityContact).toBe(contact)
  })

  it.each(['security@venue.test', 'mailto:nobody', 'https://a b', 'mailto:a@b\nExpires: never'])(
    'does not take %j for a contact',
    (contact) => {
      expect(loadConfig({ SECURITY_CONTACT: contact })).toMatchObject({ ok: false })
    },
  )
})
