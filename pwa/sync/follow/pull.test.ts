import { describe, expect, it } from 'vitest'
import type { ProblemCode } from '#shared/contract/problem.ts'
import { problem } from '../testing/model-server.ts'
import { createPageSize, pullPages, type Page, type PageAnswer, type PullTerms } from './pull.ts'

interface Doc {
  readonly key: string
  readonly version: number
}

/** A page with the versions of documents, by their keys. */
const page = (versions: Record<string, number>, version: number, head = version, epoch = 'e1'): PageAnswer => ({
  status: 200,
  isOurs: true,
  body: {
    documents: Object.entries(versions).map(([key, at]) => ({ collection: 'events', document: { key, version: at } })),
    epoch,
    version,
    checkpoint: `${epoch}.${version}`,
    head,
    more: version < head,
  },
})

const refusal = (status: number, code: ProblemCode, current?: object): PageAnswer => ({
  status,
  isOurs: true,
  body: problem(code, current),
})
const unreachable = { kind: 'unreachable' }

/** Pulls from a server that answers with the given pages in order. Remembers what was asked. */
function terms(answers: readonly (PageAnswer | Error)[], more: Partial<PullTerms<Doc>> = {}) {
  const asked: [string | undefined, number][] = []
  const given: PullTerms<Doc> = {
    epoch: undefined,
    checkpoint: undefined,
    pageSize: createPageSize([2]),
    parsePage: (body) =>
      typeof body === 'object' && body !== null && 'documents' in body ? (body as Page<Doc>) : undefined,
    fetchPage: async (after, limit) => {
      asked.push([after, limit])
      const answer = answers[asked.length - 1]
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('Asked too often')
      return answer
    },
    ...more,
  }
  return { given, asked }
}

/** The same, with the keys of what came where it came to its end. */
function pull(answers: readonly (PageAnswer | Error)[], checkpoint?: string, epoch?: string) {
  const { given, asked } = terms(answers, { checkpoint, epoch })
  const keys: string[] = []
  const end = pullPages<Doc>(given, ({ documents }) => void keys.push(...documents.map(({ document }) => document.key)))
  return { outcome: end.then((one) => (one.kind === 'pulled' ? { ...one, keys } : one)), asked }
}

describe('a pull', () => {
  it('goes over the pages until a short one and hands everything over', async () => {
    const { outcome, asked } = pull([page({ b: 1, a: 2 }, 2, 3), page({ c: 3 }, 3)])
    expect(await outcome).toEqual({
      kind: 'pulled',
      keys: ['b', 'a', 'c'],
      epoch: 'e1',
      version: 3,
      checkpoint: 'e1.3',
      head: 3,
    })
    expect(asked.map(([after]) => after)).toEqual([undefined, 'e1.2'])
  })

  it('goes on after a page that ended for its size, and after one of which not all could be read', async () => {
    const cut = page({ a: 1 }, 1, 1)
    const unreadable = page({ b: 2 }, 3, 4)
    const { outcome, asked } = pull([
      { ...cut, body: { ...(cut.body as object), more: true } },
      { ...unreadable, body: { ...(unreadable.body as object), unreadable: ['x'] } },
      page({ c: 4 }, 4),
    ])
    expect(await outcome).toMatchObject({
      kind: 'pulled',
      keys: ['a', 'b', 'c'],
      head: 4,
    })
    expect(asked).toHaveLength(3)
  })

  it('ends when a server repeats itself', async () => {
    const { outcome, asked } = pull([page({ a: 1, b: 2 }, 2, 5), page({ a: 1, b: 2 }, 2, 5)])
    expect((await outcome).kind).toBe('pulled')
    expect(asked).toHaveLength(2)
  })

  const endings: [string, (PageAnswer | Error)[], object][] = [
    ['no network', [new Error('Failed to fetch')], unreachable],
    [
      'a network that goes after the first page',
      [page({ a: 1, b: 2 }, 2, 5), new Error('Failed to fetch')],
      unreachable,
    ],
    ['a portal with a page of its own', [{ ...page({ x: 1 }, 1), isOurs: false }], unreachable],
    ['a page that is none', [{ status: 200, isOurs: true, body: {} }], unreachable],
    ['a proxy that asks for a password', [{ status: 401, isOurs: false, body: undefined }], unreachable],
    ['a server that is not well', [refusal(503, 'unavailable')], unreachable],
    ['an app that is too old', [refusal(426, 'app_too_old')], { kind: 'update-app' }],
    ['a session that expired', [refusal(401, 'session_expired')], { kind: 'signed-out', isRevoked: false }],
    ['a session that was revoked', [refusal(401, 'session_revoked')], { kind: 'signed-out', isRevoked: true }],
    [
      '410 of a server that gives no reason',
      [refusal(410, 'reset')],
      { kind: 'reset', reason: 'history', epoch: undefined },
    ],
    [
      '410 of a server that went back',
      [refusal(410, 'reset', { reset: true, epoch: 'e2', reason: 'history' })],
      { kind: 'reset', reason: 'history', epoch: 'e2' },
    ],
    [
      '410 because this copy was away for too long',
      [refusal(410, 'reset', { reset: true, epoch: 'e1', reason: 'horizon' })],
      { kind: 'reset', reason: 'horizon', epoch: 'e1' },
    ],
    [
      'an epoch that ends between two pages',
      [page({ a: 1, b: 2 }, 2, 5), page({ a: 1 }, 1, 1, 'e2')],
      { kind: 'reset', reason: 'history', epoch: 'e2' },
    ],
  ]
  it.each(endings)('says what it met: %s', async (_, answers, expected) => {
    expect(await pull(answers).outcome).toEqual(expected)
  })

  it('starts again when its checkpoint is of another epoch', async () => {
    expect(await pull([page({}, 9, 9, 'e2')], 'e1.9', 'e1').outcome).toEqual({
      kind: 'reset',
      reason: 'history',
      epoch: 'e2',
    })
  })
})

describe('a pull page by page', () => {
  const first = page({ a: 1, b: 2 }, 2, 3)

  it('asks for the next page while one is being written, and ends when all are', async () => {
    const { given, asked } = terms([first, page({ c: 3 }, 3)], { epoch: 'e1', checkpoint: 'e1.0' })
    const written: [number, number][] = []
    const end = await pullPages(given, async ({ version }) => {
      await new Promise((resolve) => setImmediate(resolve))
      written.push([version, asked.length])
    })
    expect(end).toEqual({ kind: 'pulled', epoch: 'e1', version: 3, checkpoint: 'e1.3', head: 3 })
    expect(asked.map(([after]) => after)).toEqual(['e1.0', 'e1.2'])
    expect(written, 'versions, and how many pages were asked for by then').toEqual([
      [2, 2],
      [3, 2],
    ])
  })

  it('that breaks off ends when what came is written', async () => {
    const written: number[] = []
    const end = await pullPages(terms([first]).given, async ({ version }) => {
      await new Promise((resolve) => setImmediate(resolve))
      written.push(version)
    })
    expect(end).toEqual(unreachable)
    expect(written).toEqual([2])
  })

  it('fails when a page cannot be written, whatever the next one says', async () => {
    const pulling = pullPages(terms([first]).given, async () => Promise.reject(new Error('The disk is full')))
    await expect(pulling).rejects.toThrow('The disk is full')
  })
})

describe('the size of a page', () => {
  it('shrinks with each page that never came, and grows with each that did', () => {
    const size = createPageSize()
    const after = (...steps: ('came' | 'failed')[]) => {
      for (const step of steps) size[step]()
      return size.limit()
    }
    expect([after(), after('came'), after('failed'), after('failed'), after('failed')]).toEqual([
      500, 1000, 500, 100, 100,
    ])
    expect([after('came'), after('failed'), after('came'), after('came'), after('came')]).toEqual([
      500, 100, 500, 1000, 1000,
    ])
  })

  it('is asked for again from where the last page that came ended', async () => {
    const pageSize = createPageSize([3, 2, 1])
    const written: string[] = []
    const asked: unknown[] = []
    const pullOnce = async (answers: (PageAnswer | Error)[]) => {
      const one = terms(answers, { pageSize, epoch: 'e1', checkpoint: written.at(-1) })
      const end = await pullPages(one.given, ({ checkpoint }) => void written.push(checkpoint))
      asked.push(...one.asked)
      return end
    }
    const full = page({ a: 1, b: 2 }, 2, 3)
    expect(await pullOnce([full, new Error('nothing came')])).toEqual(unreachable)
    expect(await pullOnce([page({ c: 3 }, 3), page({}, 3)])).toMatchObject({ kind: 'pulled', head: 3 })
    expect(asked).toEqual([
      [undefined, 2],
      ['e1.2', 3],
      ['e1.2', 2],
    ])
  })
})
