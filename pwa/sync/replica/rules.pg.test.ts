import { randomUUID } from 'node:crypto'
import { stateOf, stateOfBasis } from '#shared/record/basis.ts'
import { basisOf } from '../queue/mutations/entry-basis.ts'
import { newId } from '#shared/record/new-id.ts'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { sized } from '../../../sync-server/testing/proof-size.ts'
import { setOrganizerStage } from '../../../sync-server/testing/organizer-stage.ts'
import { applicationBody } from '../../../sync-server/testing/route-rig.ts'
import { createEvent } from '../queue/mutations/create-event.ts'
import { customizeEvent, updateEvent } from '../queue/mutations/edit-event.ts'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { handInApplication } from '../queue/mutations/hand-in-application.ts'
import { deleteEvent } from '../queue/mutations/delete-event.ts'
import { markApplication } from '../queue/mutations/mark-application.ts'
import type { Mutation } from '../queue/mutations/mutation.ts'
import type { Entry } from '../queue/entry.ts'
import { beaFields, customization, eventFields } from '../testing/people.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import type { Chance } from '../testing/simulation/sim-stage.ts'
import { createChance, seededRandom } from '../testing/simulation/sim-world.ts'
import { fold, type ReplicaDocuments } from './fold.ts'
import { applicationRows } from '../testing/application-rows.ts'

const stage = await setOrganizerStage()

const device = { id: '3f1c0d5e-6a1b-4c55-9f0e-0d6b1a0c7e11', name: "Olivia's phone" }

/** What every audience but the organizer is left out of: the replica of Olivia's phone, as the feed tells it. */
async function replicaNow(): Promise<ReplicaDocuments> {
  const rows = await stage
    .db('sync_log')
    .where({ scope: `org:${stage.olivia.userId}` })
    .orderBy('version')
  const there = rows.filter(({ deleted }) => !deleted)
  const documents = <T>(collection: string) =>
    there
      .filter((row) => row.collection === collection)
      .map(({ docId: key, version, body }) => ({ ...(JSON.parse(body!) as object), key, version }) as T)
  const appliedVersion = Math.max(0, ...rows.map(({ version }) => version))
  return {
    events: documents<EventDocument>('events'),
    applications: documents('applications'),
    epoch: 'e',
    appliedVersion,
  }
}

/** A change that a phone may have queued about what it holds, whether it fits or not. */
async function anyChange(
  { events, applications }: ReplicaDocuments,
  { pick, chance, below }: Chance,
): Promise<readonly [Mutation<never>, unknown] | undefined> {
  const change = <A>(mutation: Mutation<A>, args: A): readonly [Mutation<never>, unknown] => [
    mutation as unknown as Mutation<never>,
    args,
  ]
  const event = pick(events)
  const application = pick(applications)
  // Now and then it was made on something older.
  const made = (basis: string | null) => (chance(0.3) ? stateOf('before') : basis)
  const fields = {
    ...eventFields,
    name: pick(['Mixer', 'Harbor Night']),
    startDate: pick(['2099-03-01', '2020-01-01']),
    endDate: '2099-03-02',
    maxBeacons: pick([null, 3]),
    promoCode: pick([null, 'BEACON']),
    applicationsClosed: chance(0.2),
  }
  const custom = {
    ...customization,
    customBeaconEmailSubject: pick([null, 'Hello']),
    showDefaultQuestions: chance(0.5),
  }
  if (!event || chance(0.1)) {
    return change(createEvent, {
      id: newId(),
      organizerId: stage.olivia.userId,
      fields,
      ...(chance(0.5) ? { customization: custom } : {}),
      timeZone: 'America/Chicago',
      createdAt: new Date().toISOString(),
    })
  }
  const { id, basis, name } = event
  if (!application || chance(0.2))
    return pick([
      () => change(updateEvent, { id, fields, basis: made(basis) }),
      () => change(customizeEvent, { id, name, fields: custom, basis: made(basis) }),
      () => (chance(0.3) ? change(deleteEvent, { id, name, basis: made(basis) }) : undefined),
    ])()
  const about = { applicationId: application.id, eventId: application.eventId, name: 'Bea' }
  const { status } = application
  if (chance(0.4))
    return change(decideApplication, {
      ...about,
      status: pick(['approved', 'approved', 'rejected'] as const),
      from: status,
      basis: made(application.basis),
    })
  const note = pick(['', 'Speaks Spanish', ' Tall ', 'Knows the venue'])
  const kept = application.otherNotes?.[below(application.otherNotes.length)]?.note
  return change(markApplication, {
    ...about,
    ...pick<object>([
      { note },
      { note, noteOver: pick([application.note, 'Something else', null]) },
      { starred: chance(0.5) },
      { present: true, seenAt: '2026-11-20T18:00:00.000Z' },
      { present: false },
      { present: pick([false, null]), day: event.startDate },
      { present: true, day: event.startDate, seenAt: '2026-11-20T19:00:00.000Z' },
      kept === undefined ? { starred: true } : { forgetNote: kept },
      application.publicChanges ? { changesSeen: pick([application.publicChanges.at, 'before']) } : { note },
    ]),
  })
}

/** What volunteers do meanwhile, which no phone of Olivia's folds. */
async function liveOn({ events, applications }: ReplicaDocuments, { pick, chance, below }: Chance): Promise<void> {
  const event = pick(events)
  const application = pick(applications)
  if (event && chance(0.3)) {
    const { status, body } = await stage.apply(event.id, {
      email: `bea-${below(1e9)}@example.com`,
      customAnswers: event.customQuestions.map((question) => ({ question, answer: 'Yes' })),
    })
    if (status === 201) tokens.set(body.id, body.token)
  }
  const token = application && tokens.get(application.id)
  if (token === undefined || !chance(0.3)) return
  if (chance(0.2)) {
    await stage.run('withdrawApplication', { body: { token } })
    if (chance(0.5)) await stage.run('applyAgain', { body: { token } })
  } else {
    const { filledInMs: _, ...fields } = applicationBody({ email: application!.email, bio: pick(['Warm', 'Curious']) })
    await stage.run('correctApplication', { body: { token, ...fields, customAnswers: application!.customAnswers } })
  }
}

/** What opens each application. */
const tokens = new Map<number, string>()

/** Of an event and an application, what the server alone knows: times, places, keys, devices. */
const eventsOwn = [
  'version',
  'updatedAt',
  'createdAt',
  'timeZone',
  'latitude',
  'longitude',
  'sealingKey',
  'openingKey',
] as const
const applicationsOwn = ['version', 'decidedAt', 'decidedOn', 'decisions'] as const

/** A phone names a state by the key of its change. */
function without<T extends { basis: string | null }>(document: T, names: readonly (keyof T)[]): object {
  const rest = Object.entries(document).filter(([name]) => !names.includes(name as keyof T))
  return { ...Object.fromEntries(rest), basis: stateOfBasis(document.basis) }
}

/** What a phone says of documents by itself. */
function said({ events, applications }: Pick<ReplicaDocuments, 'events' | 'applications'>): unknown {
  const sorted = <T extends { readonly id: number }>(list: readonly T[]) => list.toSorted((a, b) => a.id - b.id)
  return {
    events: sorted(events).map((event) => without(event, eventsOwn)),
    applications: sorted(applications).map((application) => ({
      ...without(application, applicationsOwn),
      otherNotes: application.otherNotes?.map(({ note }) => note) ?? [],
      publicChanges: application.publicChanges !== undefined,
    })),
  }
}

/** Without what is undefined, as it would travel. */
const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function shown(replica: ReplicaDocuments, entry: Entry): unknown {
  const folded = fold(replica, [entry])
  return said({
    events: [...folded.events.values()].map(({ event }) => event),
    applications: [...applicationRows(folded).values()].map(({ application }) => application),
  })
}

interface Lived {
  /** Where phone and server differ, with the change. */
  readonly differences: readonly { readonly what: string; readonly args: unknown; shown: unknown; truth: unknown }[]
  /** How often each change was made, was so already, or was refused. */
  readonly met: Readonly<Record<string, number>>
}

/** Makes random changes through the fold of a phone and the command of the server, until they differ. */
async function live(seed: number, steps: number): Promise<Lived> {
  const dice = createChance(seededRandom(seed))
  tokens.clear()
  await stage.addSubscription(stage.olivia, 3)
  const met: Record<string, number> = {}
  let after = await replicaNow()
  for (let step = 0; step < steps; step++) {
    await liveOn(after, dice)
    const before = await replicaNow()
    const made = await anyChange(before, dice)
    if (!made) continue
    const [mutation, args] = made as unknown as readonly [Mutation<unknown>, unknown]
    const key = randomUUID()
    const entry: Entry = {
      ...queuedEntry(key, { mutation: mutation.name, args, argsVersion: mutation.argsVersion }),
      lane: mutation.lane(args),
      userId: stage.olivia.userId,
      seq: 1,
    }
    const basis = basisOf(entry)
    const { params, body } = mutation.send(args)
    const answer = await stage.run(mutation.route as 'decideApplication', {
      as: stage.olivia,
      device,
      ...(params ? { params } : {}),
      body,
      key,
      ...(basis === undefined ? {} : { basis }),
    })
    after = await replicaNow()
    const hasChanged = after.appliedVersion > before.appliedVersion
    const fate = answer.status >= 300 ? answer.body.code : hasChanged ? 'made' : 'already'
    const what = `${mutation.name} ${fate}`
    met[what] = (met[what] ?? 0) + 1
    const truth = asSent(said(after))
    const looks: unknown[] = []
    if (answer.status >= 300) looks.push(said(before))
    else {
      const acknowledged = { version: answer.version, epoch: 'e', body: answer.body as unknown }
      looks.push(shown(before, { ...entry, state: 'acknowledged', acknowledged }))
      if (hasChanged) looks.push(shown(before, entry))
    }
    const wrong = looks.find((look) => !isDeepStrictEqual(asSent(look), truth))
    if (wrong !== undefined) return { differences: [{ what, args, shown: asSent(wrong), truth }], met }
  }
  return { differences: [], met }
}

describe('what a phone shows of its own changes and what the server makes of them', () => {
  it('is the same for every rule', async () => {
    // The sample's seed is one in whose few steps everything happens that is to be met.
    const { differences, met } = await live(sized(1, 8), sized(300, 120))
    expect(differences).toEqual([])
    for (const { name } of [createEvent, updateEvent, customizeEvent, deleteEvent, decideApplication, markApplication])
      expect(met[`${name} made`], name).toBeGreaterThan(sized(2, 0))
    expect(met['decide-application conflict']).toBeGreaterThan(0)
    expect(met['decide-application already']).toBeGreaterThan(0)
    expect(met['mark-application not_allowed_now']).toBeGreaterThan(0)
  }, 120_000)

  it('is the same for an application that was handed in', async () => {
    const { id: eventId, name: eventName } = await stage.publish()
    const application = { id: newId(), eventId, eventName, fields: { ...beaFields, company: 'Acme' } }
    const carried = { application, key: randomUUID(), deviceId: 'volunteers-phone' }
    const args = { ...carried, scannedAt: new Date().toISOString() }
    const before = await replicaNow()
    const entry = { ...queuedEntry(randomUUID(), { mutation: handInApplication.name, args }), seq: 1 }
    const { params = {}, body } = handInApplication.send(args)
    expect((await stage.run('handInApplication', { as: stage.olivia, params, body: asSent(body) })).status).toBe(201)
    const [shown] = [...applicationRows(fold(before, [entry])).values()].map((row) => row.application)
    const [truth] = (await replicaNow()).applications
    const names = [...applicationsOwn, 'createdAt'] as const
    expect(asSent(without(shown!, names))).toEqual(asSent(without(truth!, names)))
  })

  /** A fold that is wrong in one way; `right` is what it should do. */
  function bug<A>(title: string, mutation: Mutation<A>, wrong: (right: Mutation<A>['fold']) => Mutation<A>['fold']) {
    const right = mutation.fold
    return [title, mutation.name, () => vi.spyOn(mutation, 'fold').mockImplementation(wrong(right))] as const
  }
  const bugs = [
    bug('a decision does not count', decideApplication, () => ({ applications }, { applicationId, status }) => {
      const document = applications.get(String(applicationId))
      if (document) applications.set(document.key, { ...document, status })
    }),
    bug('an edit of an event leaves its promo code', updateEvent, (right) => (folded, args, key) => {
      const promoCode = folded.events.get(String(args.id))?.promoCode ?? null
      right(folded, { ...args, fields: { ...args.fields, promoCode } }, key)
    }),
    bug('a copy of an event leaves its questions behind', createEvent, (right) => (folded, args, key) => {
      const customized = args.customization && { customization: { ...args.customization, customQuestions: [] } }
      right(folded, { ...args, ...customized }, key)
    }),
    bug('a note that its writer had not seen is written over', markApplication, (right) => (folded, wish, key) => {
      right(folded, { ...wish, noteOver: undefined }, key)
    }),
    bug('a person who is not here any more was here', markApplication, (right) => (folded, wish, key) => {
      right(folded, wish.present === false ? { ...wish, present: undefined } : wish, key)
    }),
  ]
  // The last two take long to show.
  it.each(sized(bugs, bugs.slice(0, -2)))(
    'differs once %s',
    async (_, name, seedBug) => {
      const bug = seedBug()
      try {
        // The ids of a run are its own, and with them its course.
        const found: string[] = []
        for (let seed = 1; found.length === 0 && seed <= 5; seed++)
          found.push(...(await live(seed, 300)).differences.map(({ what }) => what))
        expect(found).toEqual([`${name} made`])
      } finally {
        bug.mockRestore()
      }
    },
    120_000,
  )
})
