import { useEffect, useMemo } from 'react'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { call } from '../http/call.ts'
import { observable } from '../../browser/observable.ts'
import { createQuestion, type Question, useAnswer } from '../http/question.ts'
import type { Entry } from '../queue/entry.ts'
import { findKnown } from '../queue/mutations/mutations.ts'
import { pendingEntries } from './pending-entries.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'

type Documents = readonly ApplicationDocument[]

interface Archived {
  readonly userId: number | null
  readonly eventId: number
  readonly documents: Documents
}

/** Of the event that is looked at; null while the device's own copy is all there is. */
export const archivedApplications = observable<Archived | null>(null)
let before: readonly Entry[] = []
pendingEntries.subscribe(() => {
  const entries = pendingEntries.get().account
  const archived = archivedApplications.get()
  const here = new Set(entries.map(({ seq }) => seq))
  const gone = before.filter(({ seq }) => !here.has(seq))
  before = entries
  if (!archived) return
  const done = gone.filter(({ state, nextAt }) => state !== 'held' || nextAt <= Date.now())
  const documents = withDone(archived.documents, [...done, ...entries.filter(({ state }) => state === 'acknowledged')])
  if (documents !== archived.documents) archivedApplications.set({ ...archived, documents })
})

/**
 * Every change of an archived application moves the organizer's scope, this device's own as well.
 * @param changed called when the scope has moved
 */
function onScopeMoved(changed: () => void): () => void {
  let { appliedVersion } = replicaState.get()
  return replicaState.subscribe(() => {
    if (replicaState.get().appliedVersion === appliedVersion) return
    appliedVersion = replicaState.get().appliedVersion
    changed()
  })
}

/** Folds an event's applications in with the device's own until `forgetArchived`. */
export function askForArchived(eventId: number): Question<Documents> {
  const { userId } = replicaState.get()
  const isWanted = () => replicaState.get().userId === userId
  return createQuestion<Documents>({
    call: async (signal) => {
      const documents: ApplicationDocument[] = []
      // A copy that had this version at the question knows of no later change than the answer.
      const version = replicaState.get().appliedVersion
      for (;;) {
        const after = documents.at(-1)?.id
        const query = after === undefined ? {} : { after }
        const page = await call('listApplications', { params: { id: eventId }, query, signal })
        if (page.length === 0) {
          if (!signal.aborted && isWanted()) archivedApplications.set({ userId, eventId, documents })
          return documents
        }
        documents.push(...page.map((application) => ({ key: String(application.id), version, ...application })))
      }
    },
    isWanted,
  })
}

function forgetArchived(): void {
  archivedApplications.set(null)
}

/** An organizer's other event may have news every second. */
export const whenArchivedChanges = {
  visible: true,
  reachable: 'after failure',
  news: onScopeMoved,
  settleMs: 1_000,
} as const

/** Fetches an event's applications that the device keeps no copy of, and shows them with its own while it is mounted. */
export function useArchived(eventId: number) {
  const answered = useAnswer(
    useMemo(() => askForArchived(eventId), [eventId]),
    whenArchivedChanges,
  )
  useEffect(() => forgetArchived, [])
  return answered
}

/**
 * For documents that the device keeps no copy of: the replica tells nothing of them.
 * @param done changes that the server has acknowledged, and those that have left the queue
 */
export function withDone(documents: Documents, done: readonly Entry[]): Documents {
  const byKey = new Map(documents.map((document) => [document.key, document]))
  let isChanged = false
  for (const entry of done) {
    const known = findKnown(entry)
    const target = known?.mutation.target(known.args)
    const document = target?.collection === 'applications' ? byKey.get(target.key) : undefined
    const version = entry.acknowledged?.version ?? undefined
    if (!known || !document || (version !== undefined && document.version >= version)) continue
    known.mutation.fold({ events: new Map(), applications: byKey }, known.args, entry.key)
    const after = byKey.get(document.key)
    if (after && version !== undefined) byKey.set(document.key, { ...after, version })
    isChanged = true
  }
  return isChanged ? [...byKey.values()] : documents
}

let merged: { readonly kept: Documents; readonly archived: Documents; readonly all: Documents } | undefined

/** The device's own come before fetched ones, and nothing fetched is shown to another account. */
export function withArchived(replica: ReplicaState): ReplicaState {
  const fetched = archivedApplications.get()
  if (!fetched || fetched.userId !== replica.userId) return replica
  const archived = fetched.documents
  const kept = replica.applications
  if (merged?.kept !== kept || merged.archived !== archived) {
    const here = new Set(kept.map(({ key }) => key))
    merged = { kept, archived, all: [...kept, ...archived.filter(({ key }) => !here.has(key))] }
  }
  return { ...replica, applications: merged.all }
}
