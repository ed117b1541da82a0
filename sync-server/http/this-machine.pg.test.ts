import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import type { Config } from '../config.ts'
import { setTestServer, startTestServer, type TestServer } from '../testing/test-server.ts'

const server = await setTestServer()
const behindProxy = await setTestServer({ db: server.db, config: { proxies: 1 } })
const metrics = await server.app.metrics.listen(0, '127.0.0.1')
afterAll(() => {
  metrics.closeAllConnections()
  metrics.close()
})

/** Asks for a page under a name, as a browser does to which that name leads here. */
function ask(port: number, path: string, headers: Record<string, string>, method = 'GET'): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve([response.statusCode ?? 0, text]))
    })
    asking.on('error', reject)
    asking.end()
  })
}
const portOf = ({ origin }: TestServer) => Number(new URL(origin).port)

const foreign = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '192.168.1.7',
  '[::2]',
  'a:b:c',
  '@localhost.evil.example',
]
const own = ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'demo.localhost']

describe('what is for this machine alone', () => {
  it.each(own)('is shown to who asks %s for it', async (host) => {
    const [status, page] = await ask(portOf(server), '/mail-preview', { host })
    expect([status, page.includes('Mail preview')]).toEqual([200, true])
    expect((await ask((metrics.address() as AddressInfo).port, '/metrics', { host }))[1]).toContain('process_resident')
  })

  it.each(foreign)('is no figure for a page of %s, whose name was made to lead here', async (host) => {
    expect(await ask((metrics.address() as AddressInfo).port, '/metrics', { host })).toEqual([421, ''])
  })

  it('is not shown to a visitor of a proxy on this machine', async () => {
    const [, page] = await ask(portOf(behindProxy), '/mail-preview', {
      host: 'localhost',
      'x-forwarded-for': '198.51.100.7',
    })
    expect(page).not.toContain('Mail preview')
  })

  it('is read and nothing else', async () => {
    const [, page] = await ask(portOf(server), '/mail-preview', { host: 'localhost' }, 'POST')
    expect(page).not.toContain('Mail preview')
  })
})

describe('a server that people reach on this machine alone', () => {
  const refusal = 'This server is for its own machine alone: ask it as localhost or 127.0.0.1.\n'

  it.each(foreign)('answers no call of a page of %s, and says where it answers', async (host) => {
    for (const path of ['/', '/api/subscription-plans', '/api/login', '/demo-accounts.json', '/mail-preview'])
      for (const more of [{}, { 'x-forwarded-host': 'localhost' }])
        expect(await ask(portOf(server), path, { host, ...more })).toEqual([421, refusal])
    expect((await ask(portOf(server), '/healthz', { host }))[0]).toBe(200)
  })

  it('answers under every number to other machines, and under any name with a public one', async () => {
    const status = async (config: Partial<Config>, host: string) => {
      const other = await startTestServer({ db: server.db, config })
      const [found] = await ask(portOf(other), '/api/subscription-plans', { host })
      await other.close()
      return found
    }
    expect(await status({ host: '0.0.0.0' }, '192.168.1.7:3000')).toBe(200)
    expect(await status({ host: '0.0.0.0' }, 'evil.example')).toBe(421)
    expect(await status({ publicOrigin: 'https://beaconry.example' }, 'internal:3000')).toBe(200)
  })
})
