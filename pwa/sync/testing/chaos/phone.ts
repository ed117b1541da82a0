import { askToCancel } from '../../drain/cancel.ts'
import { newKey } from '../../queue/new-key.ts'
import { createOutbox, type Outbox } from '../../queue/enqueue.ts'
import { createFetchTransport } from '../../drain/transport.ts'
import { openOutboxDatabase } from '../../queue/store/outbox-db.ts'
import type { OutboxStore } from '../../queue/store/outbox-store.ts'
import { createReplayer, type Replayer } from '../../drain/replay.ts'
import type { ReplayNews, Timers } from '../../drain/wake.ts'
import { createContexts } from '../contexts.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { newSubscriber, type PhoneNetwork } from './network.ts'
import { createPhoneReplica, type PhoneReplica } from './phone-replica.ts'
import { quickTime } from './quick-time.ts'

/** The app on a phone from its opening to its death. */
interface Life {
  readonly store: OutboxStore
  readonly outbox: Outbox
  readonly replayer: Replayer
  end(): void
}

/** One device with the production outbox on a database of its own. */
export interface Phone {
  readonly name: string
  readonly deviceId: string
  /** Null for a visitor's. */
  readonly userId: number | null
  readonly store: OutboxStore
  readonly outbox: Outbox
  /** An organizer's only. */
  readonly replica: PhoneReplica | undefined
  /** A network is there again. */
  wake(): void
  /** Its clock, in milliseconds since the epoch. */
  readonly now: () => number
  /** How often it crashed, and how many changes it found as `sending` when it was opened again. */
  readonly crashes: { count: number; foundSending: number }
  /** The battery dies a moment after the next request has set out, and the app is opened again. */
  crashInNextRequest(): void
  /** Resolves when a crash that has begun is over. */
  risen(): Promise<void>
  close(): void
}

/** An organizer's phone. */
export interface OrganizerPhone extends Phone {
  readonly userId: number
  readonly replica: PhoneReplica
}

export interface PhoneOptions {
  readonly name: string
  readonly userId: number | null
  readonly cookie?: string
  readonly deviceId: string
  readonly address: string
  readonly network: PhoneNetwork
  readonly ledger?: Ledger
  readonly random: () => number
  readonly onNews?: (news: ReplayNews) => void
}

/** Most milliseconds between a request's setting out and the crash. */
const crashWithinMs = 15

export async function openPhone(options: PhoneOptions): Promise<Phone> {
  const { name, deviceId, userId, network, ledger = openLedger(), random } = options
  const time = quickTime()
  const crashes = { count: 0, foundSending: 0 }
  const subscriber = newSubscriber(options)
  network.subscribers.set(deviceId, subscriber)

  function begin(): Life {
    let isOver = false
    const alive = <T>(run: () => T): T => {
      if (isOver) throw new Error('this app is dead')
      return run()
    }
    const database = openOutboxDatabase(`outbox of ${deviceId}`)
    const disk = database.store
    // The dead neither read nor write: not even what they were in the middle of.
    const store = ledger.watch(name, {
      entriesOf: async (owner) => await alive(() => disk.entriesOf(owner)),
      receipts: async () => await alive(() => disk.receipts()),
      settled: async (account) => await alive(() => disk.settled(account)),
      change: async (lanes, decide) => await alive(() => disk.change(lanes, (seen) => alive(() => decide(seen)))),
    })
    const transport = createFetchTransport(() => database.device(() => ({ id: deviceId, name })))
    const timers: Timers = {
      after: (milliseconds, callback) => time.timers.after(milliseconds, () => isOver || callback()),
    }
    const replayer = createReplayer({
      store,
      transport,
      leader: createContexts(timers).open().leader,
      timers,
      now: time.now,
      random,
      onNews: (news) => isOver || options.onNews?.(news),
    })
    const outbox = createOutbox({
      store,
      now: time.now,
      newKey,
      wake: replayer.wake,
      cancel: (account, key) => askToCancel(transport, account, key, AbortSignal.timeout(1000)),
    })
    return {
      store,
      outbox,
      replayer,
      end: () => {
        isOver = true
        replayer.stop()
        database.close()
      },
    }
  }

  let life = begin()
  let rising: Promise<void> = Promise.resolve()

  async function rise(): Promise<void> {
    life.end()
    crashes.count++
    life = begin()
    crashes.foundSending += (await life.store.entriesOf(userId)).filter(({ state }) => state === 'sending').length
    void life.replayer.wake('page-start')
  }

  if (userId !== null) await life.outbox.signedIn(userId)
  const replica =
    userId === null
      ? undefined
      : createPhoneReplica({
          deviceId,
          userId,
          queue: () => ({ store: life.store, wake: life.replayer.wake }),
          now: time.now,
        })
  return {
    name,
    deviceId,
    userId,
    get store() {
      return life.store
    },
    get outbox() {
      return life.outbox
    },
    replica,
    now: time.now,
    wake: () => void life.replayer.wake('online'),
    crashes,
    crashInNextRequest() {
      subscriber.onSetOut = () => {
        subscriber.onSetOut = () => {}
        rising = rising.then(() => new Promise((resolve) => setTimeout(resolve, random() * crashWithinMs))).then(rise)
      }
    },
    risen: () => rising,
    close: () => life.end(),
  }
}
