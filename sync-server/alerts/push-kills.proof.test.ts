import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { FakeSubscription } from '../testing/push/push-service.ts'
import { setPushStage } from '../testing/push/push-stage.ts'
import { fullSize, sized } from '../testing/proof-size.ts'
import { endLeases, makeJobsDue, wakeWorkers } from '../testing/jobs/queued-jobs.ts'
import { prepareServerProcess } from '../testing/server-process.ts'

const stage = await setPushStage()

const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-push-'))
const authority = path.join(folder, 'authority.pem')
writeFileSync(authority, stage.service.ca)
const server = await prepareServerProcess(
  {
    DATABASE_URL: stage.connectionString,
    PUSH_HOSTS: stage.service.host,
    NODE_EXTRA_CA_CERTS: authority,
    // A demo's own jobs meet the stage while it deletes the demo's events.
    DEMO_MODE: '0',
    BILLING: 'off',
  },
  { fromSource: true },
)
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true })
})
await server.start()

/** What a minute brings: the gathering of new applications and the hold of a decision are over. */
async function minutePasses(): Promise<void> {
  await stage.db('mails').where({ state: 'held' }).update({ state: 'sent' })
  await makeJobsDue(stage.db)
  await wakeWorkers(stage.db)
}

/** What a minute and another server do. */
async function restart(): Promise<void> {
  await endLeases(stage.db)
  await server.start()
}

const sending = async () => await stage.db('jobs').whereIn('kind', ['send-push', 'send-news'])
const expectSentAfter = async (attempts: number) =>
  await expect.poll(sending).toMatchObject([{ state: 'done', attempts }])
/** For each message that came: whether it makes itself heard where one of its tag is on the screen already. */
const soundsOn = (subscription: FakeSubscription) =>
  stage.messagesTo(subscription).map(({ notification }) => notification.renotify)

/** What a push server does to the same place twice, the device shows as one. */
function expectOneOnScreen(subscription: FakeSubscription, tag: string): void {
  expect(stage.service.complaints).toEqual([])
  expect(new Set(stage.messagesTo(subscription).map(({ notification }) => notification.tag))).toEqual(new Set([tag]))
  expect(new Set(stage.receivedBy(subscription).map(({ topic }) => topic))).toEqual(new Set([tag]))
}

interface Gate {
  readonly table: 'jobs' | 'push_subscriptions'
  /** Which change of a row stops at the gate, in the words of a trigger. */
  readonly when: string
}

/** Kills the server while it makes a certain change, which is undone with it. */
async function killAt({ table, when }: Gate, come: () => Promise<unknown>): Promise<void> {
  const { db } = stage
  await db.raw(`
    create or replace function wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(4711); return new; end $$;
    create trigger gate before update on ${table} for each row when (${when}) execute function wait_at_gate()`)
  const gate = await db.transaction()
  await gate.raw('select pg_advisory_xact_lock(4711)')
  await come()
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
  await expect.poll(async () => (await db.raw(`select 1 ${waiting}`)).rows).toHaveLength(1)
  await server.kill()
  await db.raw(`select pg_terminate_backend(pid) ${waiting}`)
  await expect.poll(async () => (await db.raw(`select 1 ${waiting}`)).rows).toEqual([])
  await gate.rollback()
  await db.raw(`drop trigger gate on ${table}`)
}

/** When it dies, at which gate, which messages make a sound, and how many attempts it takes. */
const deaths: [string, Gate, boolean[], number][] = [
  [
    'while it notes whom it tells of',
    { table: 'jobs', when: `new.kind = 'new-application-push' and new.payload->>'alertedAt' is not null` },
    [true],
    1,
  ],
  [
    'while it takes the alert from the queue',
    { table: 'jobs', when: `new.kind = 'send-push' and old.state = 'waiting' and new.state = 'running'` },
    [true],
    1,
  ],
  [
    'before it could note that it sends the alert',
    { table: 'jobs', when: `new.kind = 'send-push' and new.payload->>'mayHaveArrived' is not null` },
    [true],
    2,
  ],
  [
    'before it could note that the push service took it',
    { table: 'push_subscriptions', when: `new.last_success_at is distinct from old.last_success_at` },
    [true, false],
    2,
  ],
  [
    'before it could say that it is done',
    { table: 'jobs', when: `new.kind = 'send-push' and new.state = 'done'` },
    [true, false],
    2,
  ],
]

it.each(sized(deaths, deaths.slice(2, 3)))(
  'a server that is killed %s leaves one alert on the screen, heard once',
  async (_, gate, sounds, attempts) => {
    const phone = await stage.subscribe('phone')
    await killAt(gate, async () => {
      await stage.volunteer()
      await minutePasses()
      if (gate.when.includes('alertedAt')) return
      // What was gathered is queued at once.
      await expect.poll(sending).toHaveLength(1)
    })
    await restart()
    await minutePasses()
    await expectSentAfter(attempts)
    expect(soundsOn(phone)).toEqual(sounds)
    expectOneOnScreen(phone, `event-${stage.eventId}`)
  },
)

if (fullSize) {
  it('a server killed before the push service took the alert asks again, without a sound', async () => {
    const phone = await stage.subscribe('phone')
    const reached = stage.service.stallNext(phone.endpoint)
    await stage.volunteer()
    await minutePasses()
    await reached
    await server.kill()
    await restart()
    await expectSentAfter(2)
    expect(soundsOn(phone)).toEqual([false])
    expectOneOnScreen(phone, `event-${stage.eventId}`)
  })
}
