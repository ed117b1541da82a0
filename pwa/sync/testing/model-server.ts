import type { Problem, ProblemCode } from '#shared/contract/problem.ts'
import { problemStatus } from '#shared/contract/problem.ts'
import { fitsBasis, stateOf, stateOfBasis, type Basis } from '#shared/record/basis.ts'

/** A document as the model keeps it: only what the rules look at. */
export interface ModelDocument {
  readonly key: string
  readonly version: number
  readonly id: number
  readonly basis: string | null
  readonly [field: string]: unknown
}

export interface LogRow {
  readonly collection: 'events' | 'applications'
  readonly key: string
  readonly version: number
  /** Null for a tombstone. */
  readonly document: ModelDocument | null
}

export interface Stored {
  readonly hash: string
  readonly status: number
  readonly body: unknown
  readonly version: number | undefined
  /** Names the state that its document was in after it. */
  readonly leftState?: string | null | undefined
  readonly changedNothing?: boolean
}

/** A change that the server made: what the checkers count. */
export interface Effect {
  readonly key: string
  readonly scope: string
  readonly lane: string
  readonly route: string
  /** Names the state that it replaced; undefined for a change of nothing that has states, and one that changed nothing. */
  readonly replaced?: string | null | undefined
}

export interface ModelEntry {
  readonly key: string
  readonly route: string
  readonly lane: string
  readonly params?: Record<string, string | number>
  readonly body?: Record<string, unknown>
  readonly basis?: string | null
  readonly again?: boolean
}

export type Line =
  | {
      key: string
      status: number
      version?: number | undefined
      checkpoint?: string
      body?: unknown
      retryAfterSeconds?: number
    }
  | { key: string; untouched: true }

/** What a server that is not well answers for one entry instead of running it. */
export type Illness = { readonly status: 500 | 503 | 429; readonly retryAfterSeconds?: number } | undefined

/**
 * The server as its promises describe it: one organizer's scope with gapless versions, keys stored with their answers in
 * the same step as the effect, lanes that stop after a refusal, and epochs.
 */
export class ModelServer {
  epoch = 1
  version = 0
  readonly log = new Map<string, LogRow>()
  readonly keys = new Map<string, Stored>()
  readonly effects: Effect[] = []
  eventLimit = Infinity
  /** The id of the history at each version: no two histories have the same. */
  readonly historyIds = new Map<number, string>()
  private written = 0
  /** Versions up to here may be missing tombstones. */
  horizon = 0
  /** How often the database went back to an earlier moment. */
  restores = 0
  /** Everything that ever happened under a key, also what the database has forgotten since. */
  readonly everAnswered = new Map<string, Stored>()
  /** A refusal that no app knows, for whatever is new. */
  newRefusal: { readonly status: number; readonly code: string } | undefined
  /** Told of every version that is given out. */
  onWrite: (version: number) => void = () => {}
  /** Applications handed in by visitors, whoever's event it was. */
  readonly applied: { key: string; scope: string; eventId: number; email: string }[] = []

  /** A moment of the feed as a text, as the server's checkpoint.ts writes it. */
  checkpointAt(version: number, begunAt = ''): string {
    return `${this.epoch}.${version}.${this.historyIds.get(version) ?? ''}.${begunAt}`
  }

  read(collection: 'events' | 'applications', id: number | string): ModelDocument | undefined {
    return this.log.get(`${collection}/${id}`)?.document ?? undefined
  }

  write(
    collection: 'events' | 'applications',
    id: number | string,
    fields: Record<string, unknown> | null,
  ): ModelDocument | undefined {
    const key = String(id)
    const version = ++this.version
    this.historyIds.set(version, `m${++this.written}`)
    const document = fields ? ({ ...fields, key, id: Number(id), version } as ModelDocument) : null
    this.log.set(`${collection}/${key}`, { collection, key, version, document })
    this.onWrite(version)
    return document ?? undefined
  }

  /** Documents after a version, by version, and the newest version there is. */
  pull(after: number, limit: number): { rows: LogRow[]; head: number } {
    const rows = [...this.log.values()].filter((row) => row.version > after)
    rows.sort((a, b) => a.version - b.version)
    return { rows: rows.slice(0, limit), head: this.version }
  }

  cancel(scope: string, key: string): 'cancelled' | 'already-happened' {
    const name = `${scope}|${key}`
    const stored = this.keys.get(name)
    if (stored) return stored.status < 300 ? 'already-happened' : 'cancelled'
    this.keys.set(name, { hash: 'cancelled', status: 422, body: problem('cancelled'), version: undefined })
    return 'cancelled'
  }

  /** Runs entries in order; after one that was not done, its lane's later ones come back untouched. */
  *runBatch(
    account: number | null,
    scope: string,
    entries: readonly ModelEntry[],
    illness: () => Illness,
  ): Generator<Line> {
    const stopped = new Set<string>()
    for (const entry of entries) {
      if (stopped.has(entry.lane)) {
        yield { key: entry.key, untouched: true }
        continue
      }
      const line = this.runOne(account, scope, entry, illness())
      if (line.status >= 300) stopped.add(entry.lane)
      yield line.version ? { ...line, checkpoint: this.checkpointAt(line.version) } : line
    }
  }

  runOne(
    account: number | null,
    scope: string,
    entry: ModelEntry,
    illness: Illness,
  ): { key: string; status: number; version?: number | undefined; body?: unknown; retryAfterSeconds?: number } {
    const name = `${scope}|${entry.key}`
    // What a key stands for: an updated app may say the same in other words.
    const hash = JSON.stringify([entry.route, entry.params])
    if (illness) {
      const { status, retryAfterSeconds } = illness
      const code = status === 500 ? 'internal' : status === 503 ? 'unavailable' : 'too_many_requests'
      return {
        key: entry.key,
        status,
        body: problem(code),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      }
    }
    const stored = this.keys.get(name)
    if (stored) {
      if (stored.hash !== hash && stored.hash !== 'cancelled')
        return { key: entry.key, status: 422, body: problem('key_reused') }
      return { key: entry.key, status: stored.status, body: stored.body, version: stored.version }
    }
    const before = this.documentOf(entry)?.basis
    const versionBefore = this.version
    const result = this.newRefusal ? refusedAnew(this.newRefusal) : this.perform(account, scope, entry)
    if (result.status < 300) {
      const { key, lane, route } = entry
      const replaced = this.documentOf(entry)?.basis === before ? undefined : before
      this.effects.push({ key, scope, lane, route, replaced })
    }
    // A refusal of what is offered again is not kept: another device may bring what is missing.
    if (!entry.again || result.status < 300) {
      const { basis: leftState } = (result.status < 300 ? (result.body ?? {}) : {}) as { basis?: string | null }
      const kept = { hash, ...result, leftState, changedNothing: this.version === versionBefore }
      this.keys.set(name, kept)
      this.everAnswered.set(name, kept)
    }
    return { key: entry.key, ...result }
  }

  private documentOf({ params = {} }: ModelEntry): ModelDocument | undefined {
    const { beaconId, id, eventId } = params
    if (beaconId !== undefined) return this.read('applications', beaconId)
    return this.read('events', id ?? eventId ?? '')
  }

  /** The state that a change was made on; undefined where it names none. */
  basisOf(scope: string, { basis }: ModelEntry): Basis {
    if (basis === undefined) return undefined
    const before = this.keys.get(`${scope}|${basis}`)
    return before && before.status < 300 ? (before.leftState ?? null) : stateOfBasis(basis)
  }

  private perform(
    account: number | null,
    scope: string,
    entry: ModelEntry,
  ): { status: number; body: unknown; version: number | undefined } {
    const body = entry.body ?? {}
    const done = (status: number, document: ModelDocument | undefined) => ({
      status,
      body: document,
      version: document?.version,
    })
    const refuse = (code: ProblemCode, current?: unknown) => ({
      status: problemStatus[code],
      body: problem(code, current),
      version: undefined,
    })
    if (entry.route === 'applyAsBeacon') {
      const eventId = Number(entry.params?.['eventId'])
      if (!this.read('events', eventId)) return refuse('not_found')
      const email = String(body['email'])
      if (this.applied.some((one) => one.eventId === eventId && one.email === email))
        return refuse('duplicate_application')
      this.applied.push({ key: entry.key, scope, eventId, email })
      const id = Number(body['id'])
      this.write('applications', id, {
        eventId,
        firstName: body['firstName'],
        email,
        status: 'pending',
        basis: null,
        decisionNumber: 0,
      })
      return { status: 201, body: { id, eventId, token: `t${id}` }, version: undefined }
    }
    if (account === null) return refuse('sign_in_required')
    if (entry.route === 'createEvent') {
      const id = Number(body['id'])
      const existing = [...this.log.values()].filter(
        (row) => row.collection === 'events' && row.document !== null,
      ).length
      if (existing >= this.eventLimit) return refuse('plan_limit')
      if (this.log.has(`events/${id}`)) return refuse('already_exists')
      return done(201, this.write('events', id, { ...body, basis: stateOf(entry.key), edition: 1 }))
    }
    if (entry.route === 'decideApplication') {
      const current = this.read('applications', String(entry.params?.['beaconId']))
      if (!current) return refuse('not_found')
      const id = current.key
      const fits = fitsBasis(current.basis, this.basisOf(scope, entry))
      if (current['status'] === body['status'] && (fits || !entry.again)) return done(200, current)
      if (!fits) return refuse('conflict', current)
      return done(
        200,
        this.write('applications', id, {
          ...current,
          status: body['status'],
          basis: stateOf(entry.key),
          decisionNumber: Number(current['decisionNumber']) + 1,
        }),
      )
    }
    if (entry.route === 'markApplication') {
      const current = this.read('applications', String(entry.params?.['beaconId']))
      if (!current) return refuse('not_found')
      const id = current.key
      const { present, seenAt, ...marks } = body
      if (present === true && current['status'] !== 'approved') return refuse('not_allowed_now', current)
      const next = { ...current, ...marks, ...(present === undefined ? {} : { arrivedAt: present ? seenAt : null }) }
      const isNew = JSON.stringify(next) !== JSON.stringify(current)
      return isNew ? done(200, this.write('applications', id, next)) : done(200, current)
    }
    const id = String(entry.params?.['id'] ?? entry.params?.['eventId'])
    const current = this.read('events', id)
    if (!current) return refuse('not_found')
    const fits = fitsBasis(current.basis, this.basisOf(scope, entry))
    if (entry.route === 'deleteEvent') {
      if (!fits) return refuse('conflict', current)
      for (const row of this.log.values()) {
        if (row.collection === 'applications' && row.document?.['eventId'] === current.id)
          this.write('applications', row.key, null)
      }
      this.write('events', id, null)
      return { status: 204, body: undefined, version: this.version }
    }
    const isFulfilled = Object.entries(body).every(
      ([name, value]) => JSON.stringify(current[name]) === JSON.stringify(value),
    )
    if (isFulfilled && (fits || !entry.again)) return done(200, current)
    if (!fits) return refuse('conflict', current)
    const state = stateOf(entry.key)
    return done(
      200,
      this.write('events', id, { ...current, ...body, basis: state, edition: Number(current['edition']) + 1 }),
    )
  }
}

/** A refusal in the shape of all others, with a word that this app has not heard of. */
function refusedAnew({ status, code }: { status: number; code: string }) {
  return { status, body: { ...problem('conflict'), code, message: code }, version: undefined }
}

export function problem(code: ProblemCode, current?: unknown): Problem {
  return { code, message: code, requestId: 'r', ...(current === undefined ? {} : { current }) }
}
