import { describe, expect, it } from 'vitest'
import type { ApplicationRow } from '../../sync/replica/fold.ts'
import { applicationDocument } from '../../sync/testing/people.ts'
import { bulkPlan } from './bulk-decision.tsx'

const row = (id: number, changes: Parameters<typeof applicationDocument>[2]): ApplicationRow => ({
  application: applicationDocument(id, 1, changes),
  syncState: 'confirmed',
  entry: null,
  entries: [],
})
const everyone = [
  row(1, { status: 'pending' }),
  row(2, { status: 'approved' }),
  row(3, { status: 'rejected' }),
  row(4, { status: 'rejected', withdrawnAt: '2026-11-03T10:00:00Z' }),
]
const before = () => false
const ids = ({ rows }: { rows: readonly ApplicationRow[] }) => rows.map(({ application }) => application.id)

describe('a decision about many people', () => {
  it('approves who can be approved and writes to each of them', () => {
    const plan = bulkPlan(everyone, 'approved', true, before)
    expect(ids(plan)).toEqual([1, 3])
    expect(plan).toMatchObject({ unchanged: 2, revoked: 0, emails: 2 })
  })

  it('rejects who waits, revokes who is approved, and writes to both', () => {
    const plan = bulkPlan(everyone, 'rejected', true, before)
    expect(ids(plan)).toEqual([1, 2])
    expect(plan).toMatchObject({ unchanged: 2, revoked: 1, emails: 2 })
  })

  it('can reject without a word to those who wait, but revokes nothing in silence', () => {
    expect(bulkPlan(everyone, 'rejected', false, before)).toMatchObject({ revoked: 1, emails: 1 })
  })

  it('revokes nothing after the event', () => {
    expect(ids(bulkPlan(everyone, 'rejected', true, () => true))).toEqual([1])
  })
})
