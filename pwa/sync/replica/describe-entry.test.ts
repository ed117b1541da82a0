import { afterEach, expect, it } from 'vitest'
import type { Entry } from '../queue/entry.ts'
import { applicationDocument } from '../testing/people.ts'
import { emptyReplica, replicaState } from './replica-state.ts'
import { approve } from '../testing/queue-phone.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import { describeEntry } from './describe-entry.ts'

afterEach(() => replicaState.set(emptyReplica))

const forged = (applicationId: number): Entry => ({
  ...queuedEntry('k', { mutation: 'decide-application', args: { ...approve(applicationId), name: 'Ana Ruiz' } }),
  seq: 1,
})

it('a change from a file is named by whom this device knows under its number', () => {
  const bo = applicationDocument(66, 1, { firstName: 'Bo', lastName: 'Byrne' })
  replicaState.set({ ...emptyReplica, status: 'ready', applications: [bo] })
  expect(describeEntry(forged(66)).label).toBe('Approve Bo Byrne')
  expect(describeEntry(forged(67)).label).toBe('Approve Ana Ruiz (not on this device)')
})
