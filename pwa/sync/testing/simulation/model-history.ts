import type { Scope } from '#shared/sync/collections.ts'
import type { FeedPosition } from '#shared/sync/replication-calls.ts'
import type { PageAnswer } from '../../follow/pull.ts'
import { problem, type Effect, type LogRow, type ModelServer, type Stored } from '../model-server.ts'

/** The model server's database as it was at one moment. */
export interface Snapshot {
  readonly epoch: number
  readonly version: number
  readonly horizon: number
  readonly log: readonly [string, LogRow][]
  readonly keys: readonly [string, Stored][]
  readonly historyIds: readonly [number, string][]
  readonly effects: readonly Effect[]
  readonly applied: ModelServer['applied']
}

export function snapshotOf(server: ModelServer): Snapshot {
  const { epoch, version, horizon, log, keys, historyIds, effects, applied } = server
  return {
    epoch,
    version,
    horizon,
    log: [...log],
    keys: [...keys],
    historyIds: [...historyIds],
    effects: [...effects],
    applied: [...applied],
  }
}

function refill<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}

/**
 * The database goes back to an earlier moment.
 * @param isSaid a new epoch tells everybody; without it only the ids of the history do
 */
export function restore(server: ModelServer, to: Snapshot, isSaid: boolean): void {
  const newest = server.epoch
  server.restores++
  server.version = to.version
  server.horizon = to.horizon
  refill(server.log, to.log)
  refill(server.keys, to.keys)
  refill(server.historyIds, to.historyIds)
  server.effects.splice(0, Infinity, ...to.effects)
  server.applied.splice(0, Infinity, ...to.applied)
  server.epoch = isSaid ? newest + 1 : to.epoch
}

/** What was deleted long ago is forgotten: a device that was away since before cannot go on. */
export function purgeTombstones(server: ModelServer): void {
  for (const [name, row] of server.log) if (row.document === null) server.log.delete(name)
  server.horizon = server.version
}

/** Why a checkpoint cannot be continued; undefined when it can. */
function resetReason(server: ModelServer, checkpoint: string): 'history' | 'horizon' | undefined {
  const [epoch, at, historyId, begunAt] = checkpoint.split('.')
  const version = Number(at)
  if (epoch !== String(server.epoch) || version > server.version) return 'history'
  if (version > 0 && Math.max(version, Number(begunAt)) < server.horizon) return 'horizon'
  return version > 0 && historyId !== '' && historyId !== server.historyIds.get(version) ? 'history' : undefined
}

/** Whether the history that the server is in has what was acknowledged with this checkpoint. */
export function contains(server: ModelServer, checkpoint: string): boolean {
  const [, version, historyId] = checkpoint.split('.')
  return server.historyIds.get(Number(version)) === historyId
}

/** What a signed-in organizer's device is answered for one page. */
export function answerPull(
  server: ModelServer,
  scope: Scope,
  {
    checkpoint,
    acknowledged = [],
  }: { readonly checkpoint: string | undefined; readonly acknowledged?: readonly string[] },
  limit: number,
  pull = server.pull.bind(server),
): PageAnswer {
  const epoch = String(server.epoch)
  const page = (body: object): PageAnswer => ({ status: 200, isOurs: true, body })
  // The account's own scope: one document, which nothing here changes.
  if (scope === 'account') {
    if (checkpoint && !checkpoint.startsWith(`${epoch}.`)) return reset(epoch, 'history')
    const documents = checkpoint ? [] : [{ collection: scope, document: { key: 'me', id: 0, version: 1 } }]
    return page({ documents, epoch, version: 1, checkpoint: `${epoch}.1`, head: 1, more: false })
  }
  const hasLost = acknowledged.some((name) => !contains(server, name))
  const reason = hasLost ? 'history' : checkpoint && resetReason(server, checkpoint)
  if (reason) return reset(epoch, reason)
  const { rows, head } = pull(Number(checkpoint?.split('.')[1] ?? 0), limit)
  const last = rows.at(-1)
  const documents = rows.map(({ collection, key, version, document }) => ({
    collection,
    document: document ?? { key, version, _deleted: true },
  }))
  const isFull = rows.length === limit && last !== undefined
  const version = isFull ? last.version : head
  // While a first copy comes in pages, its checkpoint says at which version it was begun (see pull-handler.ts of the server).
  const begunAt = checkpoint ? checkpoint.split('.')[3] : String(head)
  return page({
    documents,
    epoch,
    version,
    checkpoint: server.checkpointAt(version, isFull ? begunAt : ''),
    head,
    more: isFull,
  })
}

function reset(epoch: string, reason: 'history' | 'horizon'): PageAnswer {
  return { status: 410, isOurs: true, body: problem('reset', { reset: true, epoch, reason }) }
}

/** Whether a copy that has come to this position is of the history that the server is in. */
export function isOfHistory(server: ModelServer, position: FeedPosition | undefined): boolean {
  return !position || resetReason(server, position.checkpoint) !== 'history'
}
