import { afterEach, expect, it } from 'vitest'
import type { Entry } from '../../sync/queue/entry.ts'
import { applicationDocument } from '../../sync/testing/people.ts'
import { emptyReplica, replicaState } from '../../sync/replica/replica-state.ts'
import { approve } from '../../sync/testing/queue-phone.ts'
import { queuedEntry } from '../../sync/testing/queued-entry.ts'
import { entryLabel } from './queued-entry.ts'

afterEach(() => replicaState.set(emptyReplica))

const forged = (applicationId: number): Entry => ({
  ...queuedEntry('k', { mutation: 'decide-application', args: { ...approve(applicationId), name: 'Ana Ruiz' } }),
  seq: 1,
})

it('a change from a file is called by whom this device knows under its number, not by what the file says', () => {
  const bo = applicationDocument(66, 1, { firstName: 'Bo', lastName: 'Byrne' })
  replicaState.set({ ...emptyReplica, status: 'ready', applications: [bo] })
  expect(entryLabel(forged(66))).toBe('Approve Bo Byrne')
  expect(entryLabel(forged(67))).toBe('Approve Ana Ruiz (not on this device)')
})
