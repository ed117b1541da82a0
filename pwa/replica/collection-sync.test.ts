import { afterEach, describe, expect, it, vi } from 'vitest'
import { pullCollection } from './collection-sync.ts'

const epoch = '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10'
const otherEpoch = '11111111-9b0a-4f3e-8a3c-0d8d6d6a1f10'
const headers = { 'X-Request-Id': 'r' }
const says = (status: number, body: unknown) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status, headers }))
const refuses = (status: number, code: string) => says(status, { code, message: 'No', requestId: 'r' })
const checkpoint = { epoch, version: 4 }

afterEach(() => vi.unstubAllGlobals())

describe('a pull', () => {
  it('asks from its checkpoint and brings what came, sorted by key', async () => {
    let asked = ''
    const documents = [
      { key: '9', version: 6, _deleted: true },
      { key: '12', version: 5, _deleted: true },
    ]
    vi.stubGlobal('fetch', async (url: string) => {
      asked = url
      return new Response(JSON.stringify({ documents, checkpoint: { epoch, version: 6 }, head: 6 }), { headers })
    })
    const outcome = await pullCollection('events', checkpoint, epoch)
    expect(asked).toContain(`epoch=${epoch}`)
    expect(asked).toContain('version=4')
    expect(outcome).toEqual({
      kind: 'pulled',
      documents: [documents[1], documents[0]],
      checkpoint: { epoch, version: 6 },
      head: 6,
    })
  })

  it.each([
    ['an expired session', 401, 'session_expired', { kind: 'signed-out', isRevoked: false }],
    ['a revoked session', 401, 'session_revoked', { kind: 'signed-out', isRevoked: true }],
    ['a checkpoint of another time', 410, 'reset', { kind: 'reset' }],
    ['an app that is too old', 426, 'app_too_old', { kind: 'update-app' }],
    ['a busy server', 503, 'unavailable', { kind: 'unreachable' }],
  ])('of %s says so instead of failing', async (_, status, code, outcome) => {
    refuses(status, code)
    expect(await pullCollection('events', checkpoint, epoch)).toEqual(outcome)
  })

  it("without a network, and of a portal's page, is unreachable", async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await pullCollection('events', undefined, epoch)).toEqual({ kind: 'unreachable' })
    vi.stubGlobal('fetch', async () => new Response('<html>wifi</html>'))
    expect(await pullCollection('events', undefined, epoch)).toEqual({ kind: 'unreachable' })
  })

  it('of a server restored from an earlier day is a reset, also without a checkpoint', async () => {
    says(200, { documents: [], checkpoint: { epoch: otherEpoch, version: 0 }, head: 0 })
    expect(await pullCollection('events', undefined, epoch)).toEqual({ kind: 'reset' })
  })
})
