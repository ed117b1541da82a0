import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { newId } from '#shared/record/new-id.ts'
import { stateOf } from '#shared/record/basis.ts'
import { sized } from '../../../sync-server/testing/proof-size.ts'
import { applicationBody, eventBody } from '../../../sync-server/testing/route-rig.ts'
import { setVisitedEvent } from '../../../sync-server/testing/visited-event.ts'
import { ModelServer, type Line, type ModelEntry } from './model-server.ts'
import { restore, snapshotOf } from './simulation/model-history.ts'
import { createChance, seededRandom } from './simulation/sim-world.ts'

const stage = await setVisitedEvent()
const userId = async () => (await stage.olivia.call('getUser')).body.id as number
const tables = ['events', 'applications', 'application_decisions', 'idempotency_keys'] as const

/** The real server and the model of the simulation, with the same events and applications. */
async function twinServers() {
  const { db } = stage.server
  const model = new ModelServer()
  const scope = `user:${await userId()}`
  const account = await userId()
  const events = [await stage.publish(), await stage.publish()]
  const applications: number[] = []
  const fields = eventBody()
  for (const id of events) {
    const row = await db('events').where({ id }).first('basis')
    const basis = row?.basis ?? null
    model.write('events', id, { ...fields, basis, edition: 1 })
    model.keys.set(`${scope}|creation of ${id}`, {
      hash: '',
      status: 201,
      body: undefined,
      version: 1,
      leftState: basis,
    })
  }
  for (const eventId of [events[0]!, events[0]!, events[1]!]) {
    const id = newId()
    const body = { ...applicationBody({ email: `${id}@example.com` }), id }
    expect((await stage.server.call('applyAsBeacon', { params: { eventId }, body })).status).toBe(201)
    model.write('applications', id, { eventId, status: 'pending', basis: null, decisionNumber: 0 })
    applications.push(id)
  }
  const send = async (entries: readonly ModelEntry[]) => {
    await db('rate_limits').del()
    const answer = await stage.olivia.call('replayMutations', { body: { account, entries } as never })
    const real = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    return { real, modelled: [...model.runBatch(account, scope, entries, () => undefined)] }
  }
  const keep = async () => {
    const rows = new Map<string, unknown[]>()
    for (const table of tables) rows.set(table, await db.raw(`select to_jsonb(t) as row from ${table} t`).then(rowsOf))
    const snapshot = snapshotOf(model)
    return async () => {
      await db.raw(`truncate application_decisions, applications, events, idempotency_keys cascade`)
      for (const table of tables)
        await db.raw(`insert into ${table} select r.* from jsonb_populate_recordset(null::${table}, ?::jsonb) r`, [
          JSON.stringify(rows.get(table)),
        ])
      restore(model, snapshot, true)
    }
  }
  return { db, model, events, applications, send, keep }
}

const rowsOf = ({ rows }: { rows: { row: unknown }[] }) => rows.map(({ row }) => row)

/** What of an answer both must say: what became of the change, and what its document is then. */
function said(line: Line): unknown {
  if ('untouched' in line) return 'untouched'
  const body = (line.body ?? {}) as { code?: string; status?: string; name?: string; basis?: string; current?: object }
  const shown = line.status < 300 ? body : ((body.current ?? {}) as typeof body)
  const { status, name, basis } = shown
  return [line.status, line.status < 300 ? undefined : body.code, status, name, basis]
}

/**
 * Two phones of one account decide, edit and delete, each on what it last made or saw, or on something older; what was sent is
 * sent again, and the database goes back to an earlier moment. After each request both servers must have said the same.
 */
async function live(seed: number, requests: number): Promise<Record<string, number>> {
  const { model, events, applications, send, keep } = await twinServers()
  const { chance, below, pick } = createChance(seededRandom(seed))
  const sent: ModelEntry[] = []
  const met: Record<string, number> = {}
  let goBack = await keep()
  let isRestored = false

  const basisFor = (lane: string, document: { basis: string | null } | undefined) => {
    const own = sent.filter((entry) => entry.lane === lane).map(({ key }) => key)
    return pick([
      document?.basis ?? null,
      document?.basis ?? null,
      own.at(-1) ?? null,
      own.length > 0 ? pick(own)! : null,
      own.length > 0 ? stateOf(pick(own)!) : null,
      stateOf(randomUUID()),
    ])
  }
  const make = (): ModelEntry => {
    const key = randomUUID()
    const kind = below(10)
    if (kind < 6) {
      const id = pick(applications)!
      const lane = `application:${id}`
      const basis = basisFor(lane, model.read('applications', id))
      return {
        key,
        route: 'decideApplication',
        lane,
        params: { beaconId: id },
        body: { status: pick(['approved', 'rejected']) },
        basis,
      }
    }
    const id = pick(events)!
    const lane = `event:${id}`
    const basis = basisFor(lane, model.read('events', id))
    if (kind === 9 && chance(0.4)) return { key, route: 'deleteEvent', lane, params: { id }, basis }
    return {
      key,
      route: 'updateEvent',
      lane,
      params: { id },
      body: fullBody(pick(['Mixer', 'Harbor Night', 'Ball'])),
      basis,
    }
  }

  for (let request = 0; request < requests; request++) {
    if (chance(0.08)) {
      await goBack()
      isRestored = true
    } else if (chance(0.1)) goBack = await keep()
    const again = isRestored && chance(0.6) ? { again: true } : {}
    // Its answer was lost, or it is sent again after the restore: one that changed nothing is answered with what there is now.
    const lost = chance(0.3) && sent.length > 0 ? pick(sent) : undefined
    const batch = (lost ? [lost] : Array.from({ length: 1 + below(4) }, make)).map((entry) => ({ ...entry, ...again }))
    const { real, modelled } = await send(batch)
    if (!lost) expect(real.map(said), `seed ${seed}, request ${request}`).toEqual(modelled.map(said))
    if (!lost) sent.push(...batch)
    for (const line of modelled) {
      const code = 'untouched' in line ? 'untouched' : line.status < 300 ? 'done' : (line.body as { code: string }).code
      met[code] = (met[code] ?? 0) + 1
    }
  }
  return met
}

/** As a form sends it, so that nothing is filled in by the server. */
const fullBody = (name: string) => ({ ...eventBody(), name })

it('the model of the simulation says of two phones’ histories what the real server says', async () => {
  const met: Record<string, number> = {}
  for (let seed = 1; seed <= sized(40, 3); seed++)
    for (const [code, count] of Object.entries(await live(seed, 40))) met[code] = (met[code] ?? 0) + count
  for (const code of ['done', 'conflict', 'not_found', 'untouched']) expect(met[code] ?? 0, code).toBeGreaterThan(0)
}, 300_000)
