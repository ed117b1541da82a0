import { newId } from '#shared/record/new-id.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { mayMove } from '#shared/applications/decide.ts'
import { isUpcoming } from '#shared/time/event-time.ts'
import { usStates } from '#shared/places/us-states.ts'
import { fold } from '../../replica/fold.ts'
import type { Mutation } from '../../queue/mutations/mutation.ts'
import { applyAsBeacon } from '../../queue/mutations/apply-as-beacon.ts'
import { createEvent } from '../../queue/mutations/create-event.ts'
import { customizeEvent, updateEvent } from '../../queue/mutations/edit-event.ts'
import { pickEventFields } from '#shared/events/event-record.ts'
import { decideApplication } from '../../queue/mutations/decide-application.ts'
import { deleteEvent } from '../../queue/mutations/delete-event.ts'
import { beaFields, customization, decisionOn, eventFields } from '../people.ts'
import type { OrganizerPhone, Phone } from './phone.ts'
import type { Chance } from '../simulation/sim-stage.ts'
import { applicationRows } from '../application-rows.ts'

/** How the changes are mixed, in hundredths. */
const mix = [
  ['apply', 28],
  ['decide', 42],
  ['edit', 14],
  ['customize', 7],
  ['create', 7],
  ['delete', 2],
] as const

/** Events whose numbers are above this were made during the run. */
const seededEvents = 12

const maxCreated = 50

/** The people at the venue: each step one of them changes something, as chance has it. */
export function createCrowd(options: {
  readonly dice: Chance
  readonly organizers: readonly OrganizerPhone[]
  readonly visitors: readonly Phone[]
  /** The run is given up: nobody taps on what is dead for good. */
  readonly signal: AbortSignal
}) {
  const { dice, organizers, visitors } = options
  let counter = 0
  let created = 0

  const screenOf = async ({ replica, store, userId }: OrganizerPhone) =>
    fold(replica.shown(), await store.entriesOf(userId))

  async function eventsOn(phone: OrganizerPhone): Promise<EventDocument[]> {
    const screen = await screenOf(phone)
    return [...screen.events.values()].map(({ event }) => event).filter((event) => isUpcoming(event, new Date()))
  }

  /** Mostly few events, so that people meet. */
  function preferred<T>(choices: readonly T[]): T | undefined {
    return dice.chance(0.6) ? dice.pick(choices.slice(-6)) : dice.pick(choices)
  }

  /** A tap that the app's death swallowed was never said to be saved: the person taps again. */
  async function tap<A>(phone: Phone, mutation: Mutation<A>, args: A): Promise<true> {
    for (;;) {
      await phone.risen()
      const { count } = phone.crashes
      try {
        await phone.outbox.enqueue(mutation, args, { userId: phone.userId })
        return true
      } catch (error) {
        if (phone.crashes.count === count) throw error
      }
    }
  }

  async function apply(): Promise<boolean> {
    const visitor = dice.pick(visitors)
    const organizer = dice.pick(organizers)
    const open = organizer?.replica
      .shown()
      .events.filter(
        (event) => isUpcoming(event, new Date()) && event.customQuestions.every((text) => !text.endsWith('*')),
      )
    const event = preferred(open ?? [])
    if (!visitor || !event) return false
    const email = `volunteer-${++counter}@example.com`
    const args = {
      id: newId(),
      eventId: event.id,
      eventName: event.name,
      fields: { ...beaFields, firstName: `Bea ${counter}`, email },
    }
    return await tap(visitor, applyAsBeacon, args)
  }

  async function decide(phone: OrganizerPhone): Promise<boolean> {
    const screen = await screenOf(phone)
    const rows = [...applicationRows(screen).values()].map(({ application }) => application)
    const application: ApplicationDocument | undefined = dice.chance(0.5) ? dice.pick(rows.slice(-25)) : dice.pick(rows)
    if (!application) return false
    const moves = (['approved', 'rejected'] as const).filter((status) => mayMove(application.status, status))
    const status = dice.pick(moves)
    if (!status) return false
    return await tap(phone, decideApplication, decisionOn(application, status))
  }

  async function create(phone: OrganizerPhone): Promise<boolean> {
    created++
    return await tap(phone, createEvent, {
      id: newId(),
      organizerId: phone.userId,
      fields: { ...eventFields, name: `Evening ${++counter}`, startDate: '2099-12-01', endDate: '2099-12-01' },
      ...(dice.chance(0.3)
        ? { customization: { ...customization, customBeaconEmailSubject: `Welcome ${counter}` } }
        : {}),
      timeZone: 'America/Los_Angeles',
      createdAt: new Date().toISOString(),
    })
  }

  async function change(phone: OrganizerPhone, kind: 'edit' | 'customize' | 'delete'): Promise<boolean> {
    const events = await eventsOn(phone)
    const event = preferred(kind === 'delete' ? events.filter(({ id }) => id > seededEvents) : events)
    if (!event) return false
    const { id, name, basis } = event
    const form = { ...event, state: usStates.find((state) => state === event.state) ?? null }
    // Every edit wishes for something of its own, so that none is fulfilled before it is made.
    counter++
    if (kind === 'delete') return await tap(phone, deleteEvent, { id, name, basis })
    if (kind === 'edit') {
      return await tap(phone, updateEvent, {
        id,
        fields: { ...pickEventFields(form), name: `Evening ${counter}` },
        basis,
      })
    }
    const fields = { ...customization, customBeaconEmailSubject: `Welcome ${counter}` }
    return await tap(phone, customizeEvent, { id, name, fields, basis })
  }

  function chooseKind(): (typeof mix)[number][0] {
    let left = dice.below(100)
    for (const [kind, share] of mix) {
      if (left < share) return kind
      left -= share
    }
    return 'decide'
  }

  async function changeOnce(): Promise<boolean> {
    const phone = dice.pick(organizers)
    const kind = chooseKind()
    if (!phone) return false
    if (kind === 'apply') return await apply()
    // An account publishes a hundred events a day at most, those included that a killed server has counted and not made.
    if (kind === 'decide' || (kind === 'create' && created >= maxCreated)) return await decide(phone)
    if (kind === 'create') return await create(phone)
    return await change(phone, kind)
  }

  return {
    /** Makes exactly one change that a phone says is saved. */
    async change() {
      while (!(await changeOnce().catch(unlessDead))) options.signal.throwIfAborted()
    },
  }
}

/** Passes over what the app's death broke off; everything else is a failure. */
function unlessDead(error: unknown): false {
  if (
    error instanceof Error &&
    /this app is dead|Database has been closed|DatabaseClosed/.test(`${error.name} ${error.message}`)
  )
    return false
  throw error
}
