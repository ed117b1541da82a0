import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { pino } from 'pino'
import type { Problem } from '#shared/contract/problem.ts'
import type { Answer } from '#shared/contract/route.ts'
import type { Routes } from '#shared/api/routes.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { loadConfig, type Config } from '../config.ts'
import { createHandlers, presentTouched, showTo } from '../app/nouns.ts'
import type { Caller, Device, DocumentRouteName } from '../calls/handler.ts'
import type { Outcome } from '../calls/call.ts'
import { createPipeline } from '../calls/pipeline.ts'
import type { UserSubscriptionRow } from '../db/rows/billing-rows.ts'
import { createDemoTransport } from '../mail/create-mail-transport.ts'
import { addUser } from './account-rows.ts'
import { addSubscription } from './billing-rows.ts'

/** A person of the cast, as a caller. */
/** A caller in a team says for which organizer, and as what. */
export type RigCaller = Pick<Caller, 'userId' | 'username' | 'isAdmin'> & Partial<Caller>
export type Person = RigCaller & { readonly email: string }

export interface RigCall {
  readonly as?: RigCaller | null
  readonly device?: Device | null
  readonly params?: Record<string, string | number>
  readonly query?: Record<string, string>
  readonly body?: unknown
  readonly applicationToken?: string
  readonly isRobot?: boolean
  /** A new one for each call unless given. */
  readonly key?: string
  /** What it was made on: see `mutationEntry`. */
  readonly basis?: string | null | undefined
  /** The device offers it once more to a server that went back. */
  readonly again?: boolean
}

export interface RigAnswer<N extends DocumentRouteName> extends Outcome {
  /** The answer's JSON, parsed: what the table promises or a refusal, whichever the test expects. */
  readonly body: [Answer<Routes[N]>] extends [undefined] ? Problem : Answer<Routes[N]> & Problem
}

export type RouteRig = ReturnType<typeof createRouteRig>

/**
 * The real pipeline and handlers over a test database, without HTTP and cards. Allowances are counted but never
 * refused: the limiter has tests of its own.
 */
export function createRouteRig(db: Knex, overrides: Partial<Config> = {}) {
  const loaded = loadConfig({})
  if (!loaded.ok) throw new Error(loaded.errors.join('; '))
  const config = { ...loaded.config, ...overrides }
  const spent: string[] = []
  const clock = { now: new Date() }
  const { runCall } = createPipeline({
    db,
    config,
    log: pino({ level: 'silent' }),
    handlers: createHandlers({
      passwords: createPasswords(),
      mail: createDemoTransport(db),
      payments: null,
    }),
    present: presentTouched,
    showTo,
    spend: Object.assign(
      async (allowance: string, subject: string) => {
        spent.push(`${allowance} ${subject}`)
        return undefined
      },
      {
        check: async () => undefined,
        count: async (allowance: string, subject: string) => {
          spent.push(`${allowance} ${subject}`)
          return spent.filter((one) => one === `${allowance} ${subject}`).length
        },
        refund: async () => undefined,
        giveBack: async () => undefined,
      },
    ),
    now: () => clock.now,
  })

  return {
    /** Allowances spent so far, `name subject`. */
    spent: spent as readonly string[],
    /** What every call takes for the present instant; tests move it. */
    clock,
    run: async <N extends DocumentRouteName>(name: N, call: RigCall = {}): Promise<RigAnswer<N>> => {
      const outcome = await runCall(name, {
        params: call.params ?? {},
        query: call.query ?? {},
        body: call.body,
        caller: call.as ? { organizerId: call.as.userId, role: 'owner', ...call.as } : null,
        signedOut: 'sign_in_required',
        device: call.device ?? null,
        sessionHash: null,
        browser: null,
        address: '192.0.2.1',
        applicationToken: call.applicationToken ?? null,
        isRobot: call.isRobot ?? false,
        requestId: 'rig',
        key: call.key ?? randomUUID(),
        account: null,
        again: call.again ?? false,
        basis: call.basis,
      })
      return { ...outcome, body: outcome.text === null ? undefined : JSON.parse(outcome.text) }
    },
    addPerson: async (
      username: string,
      { isAdmin = false, ...columns }: { readonly isAdmin?: boolean; readonly createdAt?: Date } = {},
    ): Promise<Person> => {
      const userId = await addUser(db, username, { isAdmin, ...columns })
      return { userId, username, isAdmin, email: `${username.toLowerCase()}@example.com` }
    },
    /** Gives a person a subscription; answers its id. */
    addSubscription: ({ userId }: Person, planId: number, columns?: Partial<UserSubscriptionRow>) =>
      addSubscription(db, userId, planId, columns),
  }
}

/** Opens every connection of the pool: without them what is sent together would run one after another. */
export async function openPool(db: Knex): Promise<void> {
  await Promise.all(Array.from({ length: 10 }, () => db.raw('select pg_sleep(0.05)')))
}

/** The body of an event that is far enough in the future for any test. */
export function eventBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Harbor Mixer',
    description: 'An evening by the water.',
    startDate: '2099-03-01',
    endDate: '2099-03-02',
    startTime: '18:30',
    endTime: '21:00',
    location: 'Pier 9',
    address: '1 Harbor Way',
    city: 'Chicago',
    state: 'Illinois',
    zipCode: '60611',
    beaconIncentives: 'Free ticket',
    ...changes,
  }
}

/** The body of a complete application. */
export function applicationBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    firstName: 'Bea',
    lastName: 'Moss',
    email: 'bea@example.com',
    experience: 'First time',
    expertise: 'Design',
    whyBeacon: 'I like people.',
    networkingStyle: 'Curious',
    bio: 'I introduce people to each other.',
    filledInMs: 60_000,
    ...changes,
  }
}

/** The body of a correction: an application without what only its sending needs. */
export function correctedBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { filledInMs: _, ...fields } = applicationBody(changes)
  return fields
}
