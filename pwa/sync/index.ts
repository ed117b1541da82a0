// The door of the sync engine: what the rest of the app may import.
export { requestBackgroundSync } from './drain/background-sync.ts'
export { maxCancelBatch } from './drain/cancel.ts'
export { retryVisitorEntriesAfterRestore, offerReceiptsAgain, usualKeepHours } from './drain/offer-again.ts'
export { type DrainReport } from './drain/wake.ts'
export { followPending } from './follow/follow-pending.ts'
export { type OpenReplica } from './follow/run-replica.ts'
export { hasDatabase, isDeviceFull, readText, writeText } from './http/browser-storage.ts'
export { type Arguments, Refused, Unreachable, call, describeSender, onRefusal, senderOf } from './http/call.ts'
export { observable, useObservable } from './http/observable.ts'
export { publicEvents, useBeacons, usePublicEvent } from './http/public-source.ts'
export {
  type Answered,
  type Failure,
  type Kept,
  type Known,
  type AnswerCache,
  type Question,
  type When,
  createQuestion,
  useAnswer,
} from './http/question.ts'
export { heardEpoch, isTooOld, noteAnswered, noteUnanswered, reachability, serverEpoch } from './http/reachability.ts'
export { byServerClock, clockCorrection, serverNow, serverNowMs } from './http/server-time.ts'
export { singleFlight } from './http/single-flight.ts'
export { type ZipCentre, useZipCentre } from './http/zip-codes.ts'
export { type Entry, type SyncState, type Receipt, syncStateOf } from './queue/entry.ts'
export * from './queue/mutations/all-mutations.ts'
export { basisIn, isConflict } from './queue/mutations/entry-basis.ts'
export { eventFieldsOf, pickCustomizationFields } from './queue/mutations/edit-event.ts'
export { entriesEndingWithEvent } from './queue/mutations/event-order.ts'
export { type Mutation } from './queue/mutations/mutation.ts'
export { findKnown, labelOf, targetOf } from './queue/mutations/mutations.ts'
export { isIdTaken } from './queue/mutations/other-id.ts'
export { isOwnMutation } from './queue/mutations/change-own-application.ts'
export { advance, laneOf, neverLeft } from './queue/outbox-machine.ts'
export { fetchQueue, outbox, outboxStore } from './queue/outbox.ts'
export { parsed } from './queue/parsed.ts'
export { type QueueFile, largestQueueFile, readExport, requireOwnFile } from './queue/queue-file.ts'
export {
  beginAnew,
  countEntries,
  forgetAccount,
  forgetSettled,
  holdsNothing,
  renameDevice,
  storageWasCleared,
} from './queue/store/device-rows.ts'
export { announceKeptData, onKeptData } from './queue/store/keeping.ts'
export { onReplayNews, outboxDatabase, replayer, thisDevice } from './queue/store/opened-outbox.ts'
export { type OutboxDatabase } from './queue/store/outbox-db.ts'
export { type DeviceIdentity, damagedCode, outboxDatabaseName } from './queue/store/outbox-store.ts'
export { isQuotaError } from './queue/store/storage-errors.ts'
export { storageReady, withWritesPaused } from './queue/store/storage-gate.ts'
export { type ApplicationCounts, type ApplicationRow, type EventRow, documentOf, newestFirst } from './replica/fold.ts'
export { archivedApplications, askForArchived, forgetArchived, onChangeGone } from './replica/archived-applications.ts'
export { foldedView, useOrganizerEvent } from './replica/folded-view.ts'
export { offeredAgain, pendingEntries } from './replica/pending-entries.ts'
export { enqueueShown, whenWritten } from './replica/pending-writes.ts'
export { readCopyAhead } from './replica/copy-ahead.ts'
export { deleteReplicas } from './replica/replica-names.ts'
export { type ReplicaState, emptyReplica, replicaState } from './replica/replica-state.ts'
export { forgetSyncMeta } from './replica/sync-meta.ts'
export { useAccount } from './replica/use-account.ts'
export { fetchDeviceRows, fetchPublicEvents, fetchReplica, fetchStorageGate } from './on-demand.ts'
