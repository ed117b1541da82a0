import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ApplicationRow } from '../../../sync/replica/fold.ts'
import { applicationDocument, eventDocument } from '../../../sync/testing/people.ts'
import { arrivalsOf } from '../arrivals.ts'
import type { ApplicantList } from '../application-row.tsx'
import { ApplicationsTable } from './applications-table.tsx'

const ids = [1, 2, 3]
const byId = new Map(
  ids.map((id): [number, ApplicationRow] => [
    id,
    { application: applicationDocument(id, 7), syncState: 'confirmed', entry: null, entries: [] },
  ]),
)
const now = new Date('2026-11-20T12:00:00Z')
const list = {
  now,
  selecting: false,
  arrivals: arrivalsOf(eventDocument(7), now),
  isOver: () => false,
} as unknown as ApplicantList

beforeAll(() => {
  vi.stubGlobal('innerWidth', 1280)
  vi.stubGlobal('innerHeight', 800)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const drawn = () =>
  renderToStaticMarkup(<ApplicationsTable ids={ids} byId={byId} list={list} currentId={2} chosen={new Set()} />)

it('only the current row’s Approve has the main colour', () => {
  const rows = drawn().split('data-row=').slice(1)
  expect(rows.map((row) => /btn-primary[^>]*aria-label="[^"]*"|aria-label="[^"]*"[^>]*btn-primary/.test(row))).toEqual([
    false,
    true,
    false,
  ])
})

it('each row gives its reason, in the one column that gets the rest of the width', () => {
  const html = drawn()
  expect(html.match(/title="I like people\."/g)).toHaveLength(ids.length)
  const flexible = [...html.matchAll(/<th scope="col" class="([^"]*)">([^<]*)</g)].filter(
    ([, className = '']) => !className.split(' ').some((name) => name.startsWith('w-')),
  )
  expect(flexible.map(([, , header]) => header)).toEqual(['Why'])
})
