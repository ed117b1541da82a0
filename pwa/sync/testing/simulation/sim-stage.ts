import type { Scope } from '#shared/sync/collections.ts'
import type { FeedPosition } from '#shared/sync/replication-calls.ts'
import type { offerAgain } from '../../drain/offer-again.ts'
import type { Replayer } from '../../drain/replay.ts'
import type { Transport } from '../../drain/transport.ts'
import type { Timers, WakeReason } from '../../drain/wake.ts'
import type { transition } from '../../follow/follow-machine.ts'
import type { PageAnswer } from '../../follow/pull.ts'
import type { Leader } from '../../leader.ts'
import type { Outbox } from '../../queue/enqueue.ts'
import type { Entry } from '../../queue/entry.ts'
import type { OutboxStore, Row } from '../../queue/store/outbox-store.ts'
import type { FoldedReplica, ReplicaDocuments } from '../../replica/fold.ts'
import type { SyncMeta } from '../../replica/sync-meta.ts'
import type { Lock } from '../lock.ts'
import type { MemoryDisk } from '../memory-store.ts'
import type { LogRow, ModelDocument, ModelEntry, ModelServer } from '../model-server.ts'

// What the parts of the simulation know of each other. This file imports none of them, so that they form no circle.

export const olivia = 1
export const otto = 2

/** Where one history takes place: its phones, its server, the road between them, and who watches. */
export interface Scene {
  readonly world: World
  readonly server: ModelServer
  readonly canary: Canary
  readonly network: NetworkRules
  readonly devices: readonly SimDevice[]
  /** A volunteer's phone, where nobody signs in. */
  readonly guest: SimDevice
  /** Olivia's two. */
  readonly organizers: readonly SimDevice[]
  readonly ledgers: ReadonlyMap<SimDevice, Ledger>
  readonly screens: ReadonlyMap<SimDevice, Screen>
  /** Devices of which the next context that sends freezes. */
  readonly freezing: Set<SimDevice>
  /** Broken promises, in the order they broke. */
  readonly problems: readonly string[]
  readonly met: Readonly<Record<string, number>>
  /** The recovery roads are travelled: a database that goes back, tombstones that are gone, updates, damages, other refusals. */
  readonly travels: boolean
  /** The server's ends of all that are open. */
  readonly streams: Set<ServedStream>
  /** The queue as each page's follower saw it last. */
  readonly queues: Map<SimDevice, readonly Entry[]>
  streamFate: StreamFate
  /** The server is being restored: nothing answers. */
  isDown: boolean
  /** The database went back, and only the ids of its history tell. */
  wentBackUnsaid: boolean
  /** From then on nothing bad happens any more. */
  hasHealed: boolean
  readonly meet: (what: string, times?: number) => void
  readonly blame: (what: string) => void
  /** A number that nothing in this history was named with. */
  nextNumber(): number
  /** Starts a page or a worker on a device. */
  start(device: SimDevice, name: string): SimContext
}

/** What is left to chance. */
export interface Chance {
  random(): number
  chance(probability: number): boolean
  /** A whole number from 0 below `bound`. */
  below(bound: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
  pick<T>(choices: readonly T[]): T | undefined
}

/** Time and chance of one history: everything that happens is an event in here, and one seed decides them all. */
export interface World extends Chance {
  now(): number
  /** Plans an event. @returns a function that calls it off */
  after(milliseconds: number, run: () => void): () => void
  /** Lets the next event happen, and everything that follows from it without time passing. False when none is left before `until`. */
  step(until: number): Promise<boolean>
}

export interface SimDevice {
  readonly name: string
  readonly disk: MemoryDisk
  replica: SimReplica
  /** How far the device has followed the server, as it wrote down. */
  meta: SyncMeta | undefined
  /** The page that follows the server now. */
  follower: SimFollower | undefined
  /** Its app is of the version before: it says less in its requests, and writes another version of arguments. */
  isOldApp: boolean
  contexts: SimContext[]
  /** Who the server thinks is signed in there. */
  session: number | null
  isOnline: boolean
  /** Offline requests fail at once, or hang until they are given up. */
  hangsOffline: boolean
  storageFails: boolean
  clockOffset: number
  /** Its clock is set again and again, by up to this many milliseconds. */
  readonly clockJitter: number
  keys: number
  /** Undefined in a browser without Web Locks, where every context leads. */
  readonly lock: Lock<SimContext> | undefined
}

/** What this device keeps of what the server said. */
export interface SimReplica {
  readonly events: Map<string, ModelDocument>
  readonly applications: Map<string, ModelDocument>
  /** Of each document the newest that was ever there, so that an older page brings back nothing that was deleted. */
  readonly versions: Map<string, number>
  readonly positions: { [S in Scope]: FeedPosition | undefined }
  head: number
  /** Counts writes, so that a screen is looked at only when it may have changed. */
  changes: number
  epoch: string | undefined
  readonly copy: string | undefined
  /** Complete since it was last dropped. */
  isLoaded: boolean
}

/** Of a page or a worker. A dead one never goes on; a frozen one goes on later, where it stopped. */
export interface Life {
  isAlive: boolean
  isFrozen: boolean
  waiting: (() => void)[]
}

/** A page or a service worker. */
export interface SimContext extends Life {
  readonly name: string
  /** Requests to the batch route that are on their way. */
  sending: number
  readonly leader: Leader
  readonly store: OutboxStore
  readonly outbox: Outbox
  readonly replayer: Replayer
}

/** What keeps a page's copy equal to the server, as its page drives it. */
export interface SimFollower {
  readonly context: SimContext
  /** The queue on disk has changed. */
  queueChanged(): void
  /** The page is looked at again, or hears of a network. */
  wake(): void
  /** Somebody signed in again. */
  resume(): void
  /** A change got through. */
  hurry(): void
  close(): void
}

/** How bad this history's network and server are: probabilities per request or per entry. */
export interface Weather {
  dropBefore: number
  dropAfter: number
  duplicate: number
  truncate: number
  portal: number
  hang: number
  wholeIllness: number
  entryIllness: number
  serverCrash: number
  slowestMs: number
}

export interface NetworkRules {
  readonly world: World
  readonly server: ModelServer
  weather: Weather
  met(what: string): void
  onRequest(device: SimDevice, context: SimContext, account: number | null, entries: readonly ModelEntry[]): void
}

/** What becomes of streams: `silent` opens and says nothing, `held` does not even open, `cut` breaks off again and again. */
export const streamFates = ['well', 'silent', 'held', 'refused', 'cut'] as const
export type StreamFate = (typeof streamFates)[number]

/** The server's end of one stream. */
export interface ServedStream {
  say(event: string, data: object): void
  end(): void
}

/** What a person knows about a change of theirs: promised, taken back for certain, or the phone died before it could tell. */
export type Fate = 'pending' | 'withdrawn' | 'uncertain'

export interface Intent {
  readonly seq: number
  readonly lane: string
  readonly mutation: string
  /** Whose change it is, and of which event. */
  readonly event: string
  readonly keys: Set<string>
  fate: Fate
  /** Tapped on a screen that did not show yet what was taken back a moment before. */
  isOnGone: boolean
  wasSaved: boolean
  /** It lay on the disk in pieces: it cannot be sent, and has to be said. */
  isDamaged: boolean
}

/** The bookkeeper of one device: what was promised to its people, held against what the server did. */
export interface Ledger {
  readonly intents: ReadonlyMap<number, Intent>
  isWithdrawn(seq: number): boolean
  saved(entry: Entry): void
  damaged(entry: Entry): void
  sent(key: string): void
  /** A change is being taken back; the returned function writes down how that ended. */
  uncertain(seq: number): (fate: Fate | 'as before') => void
  /** Names the promises that broke since it was asked last. */
  check(): readonly string[]
  count(meet: Scene['meet']): void
}

export type Fold = (replica: ReplicaDocuments, entries: readonly Entry[]) => FoldedReplica

/** One person's view of one device, looked at after every step. */
export interface Screen {
  folded(): FoldedReplica
  /** The copy was dropped: what is shown until it is complete again says nothing. */
  forget(): void
  /** Names what went back in time, unless that change was taken back. */
  look(isExcused: (seq: number) => boolean): readonly string[]
}

/** What a canary may put in the place of something right. */
export interface Variant {
  readonly store?: (store: OutboxStore) => OutboxStore
  readonly transport?: (transport: Transport) => Transport
  readonly outbox?: (outbox: Outbox, store: OutboxStore) => Outbox
  readonly neverSteals?: boolean
  readonly dropsTimersFrom?: number
}

type Machine = typeof transition

/** One seeded bug: what it puts in the place of something right. None of it is a history without bugs. */
export interface Canary extends Variant {
  readonly server?: (server: ModelServer) => ModelServer
  readonly fold?: Fold
  readonly pull?: (after: number, limit: number, server: ModelServer) => { rows: LogRow[]; head: number }
  readonly offerAgain?: typeof offerAgain
  /** A leader that dies between a page's checkpoint and its documents leaves the checkpoint only. */
  readonly writesCheckpointFirst?: boolean
  /** A copy that cannot be continued is opened again. */
  readonly keepsCopyOnReset?: boolean
  /** What decides when to ask the server. */
  readonly machine?: (transition: Machine) => Machine
  /** What the page hears on a stream. */
  readonly hears?: (pieces: AsyncIterable<string>, timers: Timers) => AsyncIterable<string>
  /** What a pull is answered. */
  readonly answers?: (answer: PageAnswer) => PageAnswer
  /** The id of an event that a device is about to publish, by what its copy holds. */
  readonly newId?: (deviceName: string, known: readonly number[]) => number
  /** What is on the disk after a row was damaged. */
  readonly damaged?: (row: Row) => Entry | null
}

/** Runs now, later when thawed, or never. */
export function deliver(life: Life, run: () => void): void {
  if (!life.isAlive) return
  if (life.isFrozen) life.waiting.push(run)
  else run()
}

export function thaw(life: Life): void {
  life.isFrozen = false
  for (const run of life.waiting.splice(0)) deliver(life, run)
}

export const pageOf = (device: SimDevice): SimContext | undefined =>
  device.contexts.find((context) => context.name === 'page')

/** Wakes the worker or the page of a device, whichever hears of such a reason. */
export function wake(device: SimDevice, reason: WakeReason): void {
  const context =
    reason === 'sync' || reason === 'push' || reason === 'activate'
      ? device.contexts.find(({ name }) => name === 'worker')
      : pageOf(device)
  if (context) deliver(context, () => void context.replayer.wake(reason))
  if (reason === 'online' || reason === 'visible') device.follower?.wake()
}
