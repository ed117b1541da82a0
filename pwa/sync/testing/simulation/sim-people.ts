import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import type { Decision } from '#shared/applications/decide.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { FoldedReplica } from '../../replica/fold.ts'
import type { Entry } from '../../queue/entry.ts'
import { applyAsBeacon } from '../../queue/mutations/apply-as-beacon.ts'
import { createEvent } from '../../queue/mutations/create-event.ts'
import { customizeEvent, updateEvent } from '../../queue/mutations/edit-event.ts'
import { decideApplication, type DecideApplication } from '../../queue/mutations/decide-application.ts'
import { deleteEvent } from '../../queue/mutations/delete-event.ts'
import type { Mutation } from '../../queue/mutations/mutation.ts'
import { markApplication } from '../../queue/mutations/mark-application.ts'
import { damagedCode } from '../../queue/store/outbox-store.ts'
import { beaFields, customization, decisionOn, eventFields } from '../people.ts'
import { follow } from './sim-follow.ts'
import { applicationRows } from '../application-rows.ts'
import { deliver, olivia, pageOf, type Scene, type SimContext, type SimDevice } from './sim-stage.ts'

/** A phone in somebody's hand. */
interface Hand {
  readonly scene: Scene
  readonly device: SimDevice
  readonly context: SimContext
}

/** Somebody signs in on the page of a device. */
export function signIn(scene: Scene, device: SimDevice, userId: number): void {
  const context = pageOf(device)
  if (!context || context.isFrozen) return
  device.session = userId
  followAs(scene, device, context, userId)
  told(context.outbox.signedIn(userId), () => scene.meet('sign-in'))
}

/** Whose copy the page shows: Olivia's is followed, everybody else's is not of interest. */
function followAs(scene: Scene, device: SimDevice, context: SimContext, userId: number): void {
  const { follower } = device
  if (userId !== olivia) {
    follower?.close()
    device.follower = undefined
  } else if (follower?.context === context) follower.resume()
  else follow(scene, device, context)
}

/** Olivia does one of all the things she can do. */
export function act(scene: Scene, device: SimDevice, context: SimContext): void {
  const hand: Hand = { scene, device, context }
  const { world } = scene
  const folded = scene.screens.get(device)!.folded()
  const { events } = folded
  const anyApplication = () => world.pick([...applicationRows(folded).values()])?.application
  const anyEvent = () => world.pick([...events.values()])?.event
  const mine = device.disk.entries.filter((entry) => entry.userId === olivia)
  const kind = world.below(23)
  if (kind < 8) decide(hand, anyApplication())
  else if (kind < 11) rename(hand, anyEvent())
  else if (kind < 12) customize(hand, anyEvent())
  else if (kind < 13) create(hand)
  else if (kind < 14) remove(hand, anyEvent())
  else if (kind < 16) undo(hand, world.pick(mine))
  else if (kind < 18) discard(hand, world.pick(mine))
  else if (kind >= 20) mark(hand, anyApplication())
  else {
    const parked = mine.filter(({ state }) => state === 'parked')
    // Few refused changes are edits, and few of them are met: they come first.
    const entry = parked.find(({ mutation }) => mutation === 'update-event') ?? world.pick(parked)
    if (!entry || isDamagedHere(entry)) return
    if (entry.mutation === 'update-event' && world.chance(0.8)) resend(hand, entry, events)
    else retry(hand, entry.seq)
  }
}

/** A volunteer applies on the page of a device, whoever is signed in there. */
export function applyAsGuest(scene: Scene, device: SimDevice): void {
  const context = pageOf(device)
  if (!context || context.isFrozen) return
  const { world } = scene
  const eventId = world.pick([1, 2])
  const email = world.chance(0.2) ? 'bea@example.com' : `guest${scene.nextNumber()}@example.com`
  const fields: ApplicationFields = { ...beaFields, email }
  const args = { id: 100 + scene.nextNumber(), eventId, eventName: 'Founders Mixer', fields }
  void enqueue({ scene, device, context }, applyAsBeacon, args, null)
}

/** The app offers no other try of it: it can only be given up. */
const isDamagedHere = ({ refusal }: Entry) => refusal?.problem.code === damagedCode

/** A person looks through what needs attention and does something about most of it. */
export function tidyUp(scene: Scene, device: SimDevice): void {
  const context = pageOf(device)
  if (!context) return
  const { world } = scene
  for (const entry of device.disk.entries) {
    if (entry.state !== 'parked' || world.chance(0.3)) continue
    if (world.chance(0.5) && !isDamagedHere(entry)) retry({ scene, device, context }, entry.seq)
    else discard({ scene, device, context }, entry)
  }
}

/** Somebody hears how it ended, unless the phone died or its storage failed. */
function told<T>(ending: Promise<T>, hear: (result: T) => void): void {
  ending.then(hear, () => {})
}

/** What was said to be saved is in the ledger. */
function enqueue<A>(
  { scene, device, context }: Hand,
  mutation: Mutation<A>,
  args: A,
  userId: number | null = olivia,
): Promise<Entry> {
  const queued = context.outbox.enqueue(mutation, args, { userId })
  const saved = (entry: Entry) => {
    scene.meet('saved')
    scene.ledgers.get(device)!.saved(entry)
  }
  queued.then(saved, () => scene.meet('not saved'))
  return queued
}

const newName = (scene: Scene) => `Name ${scene.nextNumber()}`
const newInstant = (scene: Scene) => new Date(Date.UTC(2026, 11, 1) + scene.nextNumber()).toISOString()

const oppositeOf = (status: Decision): Decision => (status === 'approved' ? 'rejected' : 'approved')

function decide(hand: Hand, application: ApplicationDocument | undefined): void {
  if (!application) return
  const { scene, context } = hand
  const { world } = scene
  const mayApprove = application.status === 'pending' ? world.chance(0.7) : application.status === 'rejected'
  const args = decisionOn(application, mayApprove ? 'approved' : 'rejected')
  if (world.chance(0.1)) return secondThoughts(hand, args)
  let firstKey: string | undefined
  told(enqueue(hand, decideApplication, args), ({ key }) => (firstKey = key))
  if (!world.chance(0.3)) return
  // People change their minds, faster than the screen; it shows what has settled.
  world.after(world.random() * 3000, () =>
    deliver(context, () => {
      const again = { ...args, status: oppositeOf(args.status), from: args.status } as const
      void enqueue(hand, decideApplication, asShown(hand, again, firstKey))
    }),
  )
}

/** A second thought about what the screen shows by then, where the first one has left the queue. */
function asShown({ scene, device }: Hand, thought: DecideApplication, firstKey: string | undefined): DecideApplication {
  const isQueued = device.disk.entries.some(({ key }) => key === firstKey)
  const shown = applicationRows(scene.screens.get(device)!.folded()).get(thought.applicationId)?.application
  return isQueued || !shown ? thought : { ...thought, basis: shown.basis }
}

/** Decides three times in a row, and takes the first back: what the second is made on is what it wishes for already. */
function secondThoughts(hand: Hand, first: DecideApplication): void {
  const { scene, context } = hand
  const { world } = scene
  const opposite = oppositeOf(first.status)
  const thoughts = [first, { ...first, status: opposite, from: first.status }, { ...first, from: opposite }] as const
  let place: Entry | undefined
  for (const [index, thought] of thoughts.entries())
    world.after(index * 500, () =>
      deliver(context, () => {
        const queued = enqueue(hand, decideApplication, index === 0 ? thought : asShown(hand, thought, place?.key))
        if (index === 0) told(queued, (entry) => (place = entry))
      }),
    )
  world.after(1500 + world.random() * 5000, () =>
    deliver(context, () => {
      if (place && !hand.device.disk.entries.some((entry) => entry.seq === place?.seq && entry.attempts > 0))
        undo(hand, place)
    }),
  )
}

/** A note, a star, or "here today" right behind an approval: what Olivia keeps for herself. */
function mark(hand: Hand, application: ApplicationDocument | undefined): void {
  if (!application) return
  const { scene } = hand
  const { id, eventId, firstName, status, starred } = application
  const kind = scene.world.below(3)
  const about = { applicationId: id, eventId, name: firstName }
  const args =
    kind === 0
      ? { ...about, note: newName(scene) }
      : kind === 1 || status !== 'approved'
        ? { ...about, starred: !starred }
        : { ...about, present: application.arrivedAt == null, seenAt: newInstant(scene) }
  scene.meet('marked')
  void enqueue(hand, markApplication, args)
}

function rename(hand: Hand, event: EventDocument | undefined): void {
  if (!event) return
  const fields = { ...eventFields, name: newName(hand.scene) }
  const args = { id: event.id, fields, basis: event.basis }
  void enqueue(hand, updateEvent, args)
}

function customize(hand: Hand, event: EventDocument | undefined): void {
  const fields = { ...customization, customQuestions: [newName(hand.scene)] }
  if (!event) return
  const args = { id: event.id, name: event.name, fields, basis: event.basis }
  void enqueue(hand, customizeEvent, args)
}

function create(hand: Hand): void {
  const { scene, device } = hand
  const ownId = (device === scene.organizers[0] ? 1000 : 2000) + scene.nextNumber()
  const known = [...device.replica.events.values()].map((document) => Number(document.id))
  const id = scene.canary.newId?.(device.name, known) ?? ownId
  const fields = { ...eventFields, name: newName(scene) }
  const args = { id, organizerId: olivia, fields, timeZone: 'UTC', createdAt: '2026-11-21T08:00:00.000Z' }
  void enqueue(hand, createEvent, args)
}

function remove(hand: Hand, event: EventDocument | undefined): void {
  if (!event || !hand.scene.world.chance(0.5)) return
  const { id, name, basis } = event
  void enqueue(hand, deleteEvent, { id, name, basis })
}

function undo({ scene, device, context }: Hand, entry: Entry | undefined): void {
  if (!entry) return
  const settleFate = scene.ledgers.get(device)!.uncertain(entry.seq)
  told(context.outbox.undo(entry.seq), (result) => {
    scene.meet(`undo: ${result}`)
    settleFate(result === 'undone' ? 'withdrawn' : 'as before')
  })
}

function discard({ scene, device, context }: Hand, entry: Entry | undefined): void {
  if (!entry) return
  const settleFate = scene.ledgers.get(device)!.uncertain(entry.seq)
  told(context.outbox.discard(entry.seq), (result) => {
    scene.meet(`discard: ${result}`)
    if (result === 'discarded' || result === 'cancelled') settleFate('withdrawn')
    else if (result === 'already-happened') settleFate('pending')
  })
}

function resend({ scene, context }: Hand, entry: Entry, events: FoldedReplica['events']): void {
  const { id, basis: refusedBasis } = entry.args as { id: number; basis: string | null }
  const event = events.get(id)?.event
  const basis = event ? event.basis : refusedBasis
  const fields = { ...eventFields, name: newName(scene) }
  told(context.outbox.editAndResend(entry.seq, updateEvent, { id, fields, basis }), (result) =>
    scene.meet(`edit: ${result}`),
  )
}

function retry({ scene, context }: Hand, seq: number): void {
  told(context.outbox.retry(seq), (result) => scene.meet(`retry: ${result}`))
}
