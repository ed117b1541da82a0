import { afterEach, expect, it, vi } from 'vitest'
import { headers, wireVersion } from '#shared/contract/request.ts'
import { pullInto } from './collection-sync.ts'

const epoch = '0192d3a0-0000-7000-8000-000000000001'
const stored = { version: 3, checkpoint: 'from-3' }
const page = {
  documents: [{ collection: 'applications', key: '7', _deleted: true, version: 5 }],
  epoch,
  version: 5,
  checkpoint: 'from-5',
  head: 5,
  more: false,
}

afterEach(() => vi.unstubAllGlobals())

/** A server that answers every pull with the page; `asked` are the checkpoints that were named to it. */
function serve(): { asked: (string | null)[] } {
  const asked: (string | null)[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://localhost').searchParams.get('checkpoint'))
    return new Response(JSON.stringify(page), {
      status: 200,
      headers: { [headers.serverVersion]: String(wireVersion), 'Content-Type': 'application/json' },
    })
  })
  return { asked }
}

it('a page that could not be written is pulled once more from the checkpoint before it', async () => {
  const { asked } = serve()
  const written: unknown[] = []
  let failures = 1
  const database = {
    written: async () => stored,
    write: async (...of: unknown[]) => {
      if (failures-- > 0) throw new Error('the disk is busy')
      written.push(of)
    },
  }
  const shown: number[] = []
  const pull = pullInto(database, epoch, (_, { version }) => void shown.push(version))
  const { signal } = new AbortController()

  expect(await pull('org', signal, [])).toEqual({ kind: 'unreachable' })
  expect([written, shown]).toEqual([[], []])
  expect(await pull('org', signal, [])).toMatchObject({ kind: 'pulled', version: 5 })
  expect(asked).toEqual(['from-3', 'from-3'])
  expect(written).toEqual([
    [
      'org',
      [{ collection: 'applications', document: { key: '7', _deleted: true, version: 5 } }],
      { version: 5, checkpoint: 'from-5' },
    ],
  ])
  expect(shown).toEqual([5])

  await pull('org', signal, [])
  expect(asked.at(-1)).toBe('from-5')
})
