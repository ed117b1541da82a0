import { afterEach, expect, it, vi } from 'vitest'
import { headers, wireVersion } from '#shared/contract/request.ts'
import { createFetchTransport } from './transport.ts'

afterEach(() => vi.unstubAllGlobals())

it('says with every request which device sends it and which version of the app', async () => {
  let sent = new Headers()
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent = new Headers(init.headers)
    return new Response('{}')
  })
  const transport = createFetchTransport(async () => ({ id: 'd1', name: 'Olivia’s phone' }))
  await transport({
    method: 'POST',
    url: '/api/sync/mutations',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
    signal: new AbortController().signal,
  })
  expect(
    [headers.deviceId, headers.deviceName, headers.appVersion, 'Content-Type'].map((name) => sent.get(name)),
  ).toEqual(['d1', encodeURIComponent('Olivia’s phone'), String(wireVersion), 'application/json'])
})
