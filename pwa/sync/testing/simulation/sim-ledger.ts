import type { Entry } from '../../queue/entry.ts'
import { stateOfBasis } from '#shared/record/basis.ts'
import { basisOf, isConflict } from '../../queue/mutations/entry-basis.ts'
import { findKnown } from '../../queue/mutations/mutations.ts'
import type { ModelServer } from '../model-server.ts'
import { appliedVersion } from './sim-screen.ts'
import { applicationRows } from '../application-rows.ts'
import type { Intent, Ledger, Screen, SimDevice } from './sim-stage.ts'

const nothing: readonly string[] = []

function eventNameOf(entry: Entry): string {
  const known = findKnown(entry)
  return `${entry.userId} ${known?.mutation.eventOf(known.args)}`
}

export function createLedger(device: SimDevice, server: ModelServer): Ledger {
  const intents = new Map<number, Intent>()
  const seqOfKey = new Map<string, number>()
  /** What each change said it was made on when it was sent. */
  const bases = new Map<string, string | null | undefined>()
  const lastOfLane = new Map<string, number>()
  const done = new Set<number>()
  const offered = new Set<number>()
  const troubled = new Set<string>()
  const acknowledged = new Set<string>()
  const damagedKeys = new Set<string>()
  let effectsSeen = 0
  let restoresSeen = 0
  let entriesSeen: readonly Entry[] | undefined
  let receiptsSeen = 0

  const intentOf = (entry: Entry): Intent => {
    let intent = intents.get(entry.seq)
    if (!intent) {
      intent = {
        seq: entry.seq,
        lane: `${entry.userId} ${entry.lane}`,
        mutation: entry.mutation,
        event: eventNameOf(entry),
        keys: new Set(),
        fate: 'pending',
        wasSaved: false,
        isDamaged: false,
        isOnGone: false,
      }
      intents.set(entry.seq, intent)
    }
    return intent
  }

  /** Made on what never happens: also by way of one between them that was given up. */
  const isOnGone = (entry: Entry) => intentOf(entry).isOnGone || damagedKeys.has(basisOf(entry) ?? '')

  /** P4: the server really has what this device calls sent. */
  const checkKey = (key: string, mutation: string): string[] => {
    const scope = mutation === 'apply-as-beacon' ? `device:${device.name}` : 'user:1'
    // Also what the database has forgotten since: an answer may have been heard late.
    const status = (server.everAnswered.get(`${scope}|${key}`) ?? server.keys.get(`${scope}|${key}`))?.status
    const isDone = status !== undefined && (status < 300 || (status === 404 && mutation === 'delete-event'))
    return isDone ? [] : [`P4 ${device.name}: ${mutation} is called sent, the server says ${status ?? 'nothing'}`]
  }

  /** P8: a conflict names what somebody else did. Once something was given up late or refused, a lane has its reasons. */
  const checkConflict = (entry: Entry): string[] => {
    const lane = `${entry.userId} ${entry.lane}`
    if (troubled.has(lane)) return []
    troubled.add(lane)
    if (isOnGone(entry)) return []
    const hasOthers = server.effects.some((effect) => effect.lane === entry.lane && !effect.key.startsWith(device.name))
    if (!isConflict(entry) || hasOthers || server.epoch !== 1 || server.restores > 0) return []
    return [`P8 ${device.name}: entry ${entry.seq} (${entry.mutation}) is in conflict with nobody`]
  }

  return {
    intents,
    isWithdrawn: (seq) => (intents.get(seq)?.fate ?? 'pending') !== 'pending',
    saved(entry) {
      const intent = intentOf(entry)
      intent.wasSaved = true
      const basis = basisOf(entry)
      const isKey = basis !== undefined && basis !== stateOfBasis(basis ?? null)
      intent.isOnGone = isKey && !device.disk.entries.some(({ key }) => key === basis)
    },
    damaged(entry) {
      intentOf(entry).isDamaged = true
      // What comes behind it counted on it.
      troubled.add(`${entry.userId} ${entry.lane}`)
      damagedKeys.add(entry.key)
    },
    sent(key) {
      const entry = device.disk.entries.find((candidate) => candidate.key === key)
      if (!entry) return
      intentOf(entry).keys.add(key)
      bases.set(key, basisOf(entry))
      if (entry.again) offered.add(entry.seq)
      seqOfKey.set(key, entry.seq)
    },
    uncertain(seq) {
      const entry = device.disk.entries.find((candidate) => candidate.seq === seq)
      if (!entry) return () => {}
      const intent = intentOf(entry)
      const before = intent.fate
      if (before === 'pending') intent.fate = 'uncertain'
      return (fate) => {
        if (intent.fate !== 'withdrawn') intent.fate = fate === 'as before' ? before : fate
      }
    },
    check() {
      if (
        restoresSeen === server.restores &&
        effectsSeen === server.effects.length &&
        entriesSeen === device.disk.entries &&
        receiptsSeen === device.disk.receipts.size
      )
        return nothing
      const problems: string[] = []
      if (restoresSeen !== server.restores) {
        // What happened since the moment the database went back to has not happened.
        restoresSeen = server.restores
        effectsSeen = 0
        done.clear()
        lastOfLane.clear()
      }
      for (; effectsSeen < server.effects.length; effectsSeen++) {
        const { key, route, replaced } = server.effects[effectsSeen]!
        const seq = seqOfKey.get(key)
        const intent = seq === undefined ? undefined : intents.get(seq)
        if (!intent) continue
        if (done.has(intent.seq)) problems.push(`P2 ${device.name}: ${route} of entry ${intent.seq} happened twice`)
        done.add(intent.seq)
        const basis = bases.get(key)
        const before = server.everAnswered.get(`user:1|${basis}`)
        const seen = before && before.status < 300 ? (before.leftState ?? null) : stateOfBasis(basis ?? null)
        if (replaced !== undefined && basis !== undefined && replaced !== seen && server.restores === 0)
          problems.push(`P8 ${device.name}: entry ${intent.seq} (${route}) replaced what it was not made on`)
        const last = lastOfLane.get(intent.lane) ?? 0
        // What is offered again to a server that went back may meet what left before that was noticed.
        if (intent.seq < last && !offered.has(intent.seq) && !intent.isDamaged)
          problems.push(`P3 ${device.name}: entry ${intent.seq} happened after ${last} of its lane`)
        lastOfLane.set(intent.lane, Math.max(last, intent.seq))
      }
      if (entriesSeen !== device.disk.entries) {
        entriesSeen = device.disk.entries
        for (const entry of entriesSeen) {
          if (entry.discarding || entry.state === 'parked') problems.push(...checkConflict(entry))
          if (entry.state !== 'acknowledged' || acknowledged.has(entry.key)) continue
          acknowledged.add(entry.key)
          problems.push(...checkKey(entry.key, entry.mutation))
        }
      }
      if (receiptsSeen !== device.disk.receipts.size) {
        receiptsSeen = device.disk.receipts.size
        for (const { key, mutation } of device.disk.receipts.values()) problems.push(...checkKey(key, mutation))
      }
      return problems
    },
    count(meet) {
      for (const entry of device.disk.entries) if (entry.state === 'parked') meet('parked at the end')
      meet('done', done.size)
    },
  }
}

/** When everything is well again for long enough: nothing lost, nothing left over, all copies the same. */
export function checkEnd(
  device: SimDevice,
  ledger: Ledger,
  server: ModelServer,
  screen: Screen | undefined,
  { wentBackUnsaid }: { readonly wentBackUnsaid: boolean },
): string[] {
  const problems: string[] = []
  const bySeq = new Map(device.disk.entries.map((entry) => [entry.seq, entry]))
  const scopes = [`device:${device.name}`, 'user:1']
  const answersOf = (intent: Intent) =>
    [...intent.keys].flatMap((key) => scopes.flatMap((scope) => server.keys.get(`${scope}|${key}`) ?? []))
  // An event that another device deleted is deleted.
  const isDeleted = ({ mutation, event }: Intent) =>
    mutation === 'delete-event' && server.read('events', event.split(' ')[1] ?? '') === undefined
  const isDoneIn = (intent: Intent) =>
    isDeleted(intent) ||
    answersOf(intent).some(({ status }) => status < 300 || (status === 404 && intent.mutation === 'delete-event'))
  const all = [...ledger.intents.values()]
  // What was refused of an event falls with it, as its person was told.
  const ended = new Set(all.filter((one) => one.mutation === 'delete-event' && isDoneIn(one)).map(({ event }) => event))
  for (const intent of all) {
    const answers = answersOf(intent)
    const isDone = isDoneIn(intent) || ended.has(intent.event)
    const entry = bySeq.get(intent.seq)
    if (intent.isDamaged) {
      if (!entry && intent.fate === 'pending' && !isDone)
        problems.push(`P8 ${device.name}: entry ${intent.seq} was damaged and nobody was told`)
      continue
    }
    // A volunteer's phone learns of a database that went back from the epoch alone.
    if (wentBackUnsaid && intent.mutation === 'apply-as-beacon') continue
    if (intent.fate === 'withdrawn' && answers.some(({ status }) => status < 300)) {
      problems.push(`P1 ${device.name}: entry ${intent.seq} was taken back and happened all the same`)
    }
    // A copy of the database from before it looks the same, and nothing tells that it went back.
    const hasChangedNothing = [...intent.keys].some((key) => server.everAnswered.get(`user:1|${key}`)?.changedNothing)
    if (wentBackUnsaid && hasChangedNothing) continue
    if (intent.fate === 'pending' && intent.wasSaved && !isDone && !entry)
      problems.push(`P1 ${device.name}: entry ${intent.seq} (${intent.mutation}) is lost`)
  }
  const parkedLanes = new Set(
    device.disk.entries.filter(({ state }) => state === 'parked').map(({ lane, userId }) => `${userId} ${lane}`),
  )
  for (const entry of device.disk.entries) {
    const isWaitingForPerson =
      entry.state === 'parked' || (entry.state === 'blocked' && parkedLanes.has(`${entry.userId} ${entry.lane}`))
    if (!isWaitingForPerson || entry.discarding)
      problems.push(`P5 ${device.name}: entry ${entry.seq} (${entry.mutation}) is still ${entry.state}`)
    // Nothing is refused because the app was updated, or because two devices chose one id.
    const code = entry.state === 'parked' ? entry.refusal?.problem?.code : undefined
    if (code === 'key_reused' || code === 'already_exists')
      problems.push(`P9 ${device.name}: entry ${entry.seq} (${entry.mutation}) was refused with ${code}`)
    if (entry.state === 'parked' && !entry.refusal)
      problems.push(`P8 ${device.name}: entry ${entry.seq} was refused without a reason`)
  }
  if (!screen) return problems
  if (appliedVersion(device) !== server.version)
    problems.push(`P6 ${device.name}: stands at ${appliedVersion(device)}, the server at ${server.version}`)
  for (const collection of ['events', 'applications'] as const) {
    const copy = device.replica[collection]
    const rows = [...server.log.values()].filter((row) => row.collection === collection && row.document !== null)
    if (copy.size !== rows.length)
      problems.push(`P6 ${device.name}: ${copy.size} ${collection}, the server has ${rows.length}`)
    for (const { key, document } of rows) {
      if (JSON.stringify(copy.get(key)) !== JSON.stringify(document))
        problems.push(`P6 ${device.name}: ${collection} ${key} differs from the server's`)
    }
  }
  for (const row of applicationRows(screen.folded()).values()) {
    const truth = server.read('applications', row.application.key)
    if (truth?.['status'] !== row.application.status)
      problems.push(
        `P6 ${device.name}: the screen shows application ${row.application.key} as ${row.application.status}`,
      )
    for (const mark of ['note', 'starred', 'arrivedAt'] as const) {
      if (JSON.stringify(truth?.[mark]) !== JSON.stringify(row.application[mark]))
        problems.push(`P6 ${device.name}: the screen shows another ${mark} of application ${row.application.key}`)
    }
  }
  return problems
}
