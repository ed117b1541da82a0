import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { pullCollection } from './collection-sync.ts'
import type { Page } from '../follow/pull.ts'

const epoch = '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10'
const otherEpoch = '11111111-9b0a-4f3e-8a3c-0d8d6d6a1f10'
const headers = { 'X-Beaconry': '1' }
const says = (status: number, body: unknown) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status, headers }))
const position = { epoch, version: 6, checkpoint: `${epoch}.6.b7` }

/** How the pull ended, and the pages it handed over. */
async function pull(checkpoint: string | undefined = `${epoch}.4.a1`) {
  const pages: Page<EventDocument>[] = []
  const end = await pullCollection(
    'events',
    { epoch, checkpoint },
    new AbortController().signal,
    async (page) => void pages.push(page),
  )
  return { end, pages }
}

afterEach(() => vi.unstubAllGlobals())

describe('a pull', () => {
  it('asks from its checkpoint and hands over what came', async () => {
    let asked = ''
    const documents = [
      { key: '9', version: 6, _deleted: true },
      { key: '12', version: 5, _deleted: true },
    ]
    vi.stubGlobal('fetch', async (url: string) => {
      asked = url
      return new Response(JSON.stringify({ documents, ...position, head: 6 }), { headers })
    })
    const { end, pages } = await pull()
    expect(asked).toContain(`checkpoint=${epoch}.4.a1`)
    expect(pages).toEqual([{ documents, unreadable: [], ...position, head: 6 }])
    expect(end).toEqual({ kind: 'pulled', ...position, head: 6 })
  })

  it('takes what it can read and names what a newer server writes otherwise', async () => {
    const gone = { key: '9', version: 5, _deleted: true }
    says(200, {
      documents: [{ key: '8', version: 4, name: 1, shape: 'of tomorrow' }, gone],
      ...position,
      head: 6,
    })
    const { end, pages } = await pull()
    expect(end.kind).toBe('pulled')
    expect(pages).toMatchObject([{ documents: [gone], unreadable: ['8'] }])
  })

  it('of a server that refuses says so instead of failing', async () => {
    says(401, { code: 'session_expired', message: 'No', requestId: 'r' })
    expect(await pull()).toEqual({ end: { kind: 'signed-out', isRevoked: false }, pages: [] })
  })

  it("without a network, and of a portal's page, is unreachable", async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    expect((await pull()).end).toEqual({ kind: 'unreachable' })
    vi.stubGlobal('fetch', async () => new Response('<html>wifi</html>'))
    expect((await pull()).end).toEqual({ kind: 'unreachable' })
  })

  it('of a server restored from an earlier day is a reset, also from the beginning, and nothing of it is kept', async () => {
    says(200, { documents: [], epoch: otherEpoch, version: 0, checkpoint: `${otherEpoch}.0.`, head: 0 })
    expect(await pull('')).toEqual({
      end: { kind: 'reset', reason: 'history', epoch: otherEpoch },
      pages: [],
    })
  })
})
