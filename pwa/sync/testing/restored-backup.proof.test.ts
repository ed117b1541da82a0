import 'fake-indexeddb/auto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { afterEach, expect, it } from 'vitest'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { databaseWentBack } from '../../../sync-server/app/database-went-back.ts'
import { connectionStringOf } from '../../../sync-server/db/knex-config.ts'
import { restoreBackup } from '../../../scripts/commands/restore.ts'
import { takeBackup } from '../../../scripts/commands/backup.ts'
import { layAside, putInPlace } from '../../../sync-server/testing/laid-aside-database.ts'
import { sized } from '../../../sync-server/testing/proof-size.ts'
import { offerReceiptsAgain } from '../drain/offer-again.ts'
import { liveAnHour } from './restored/lost-hour.ts'
import {
  appliedBefore,
  apply,
  arrivals,
  deliverMails,
  organizerCount,
  questions,
  retriedByPeople,
  setScene,
  settled,
  signInAgain,
  truth,
} from './restored/restored-scene.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Kind {
  readonly name: string
  /** Nobody is connected. @returns how to go back to this moment, once nobody is connected again */
  keep(db: Knex): Promise<() => Promise<void>>
}

/** Keeps a copy of the whole database beside it, and puts that in its place. */
const layCopyAside: Kind['keep'] = async (db) => {
  const url = connectionStringOf(db)
  await db.destroy()
  const aside = await layAside(url)
  db.initialize()
  return async () => {
    await db.destroy()
    await putInPlace(url, aside)
    db.initialize()
  }
}

const kinds: Kind[] = [
  {
    name: 'our own backup',
    async keep(db) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'restored-'))
      closing.push(() => rmSync(folder, { recursive: true, force: true }))
      const file = path.join(folder, 'backup')
      await takeBackup(db, file, new Date())
      return async () => void (await restoreBackup(db, file, { force: true }))
    },
  },
  { name: 'a database that was loaded from a dump', keep: layCopyAside },
  {
    name: 'a snapshot, and its operator says so',
    async keep(db) {
      const goBack = await layCopyAside(db)
      return async () => {
        await goBack()
        // To PostgreSQL it is the very database it was: no start can notice.
        await db('sync_epoch').update({ databaseIdentity: null })
        await db.transaction(databaseWentBack)
      }
    },
  },
]

it.each(sized(kinds, kinds.slice(0, 1)))(
  'twenty devices bring back what a restore has lost, once, and no mail leaves twice: $name',
  async ({ keep }) => {
    const scene = await setScene((close) => closing.push(close))
    const { database, server, service, organizers, volunteers, eventId } = scene
    for (const phone of organizers) await phone.replica.pull()
    for (const [index, phone] of volunteers.entries())
      if (index < appliedBefore) await apply(phone, index, eventId, questions.before)
    await settled(scene)
    await deliverMails(scene)

    await server.stop()
    const goBack = await keep(database.db)
    await server.start()
    await liveAnHour(scene)
    const before = await truth(database.db)
    const mailsBefore = arrivals(service)

    await server.stop()
    await goBack()
    expect(await truth(database.db)).not.toEqual(before)
    await server.start()
    for (const phone of organizers) await signInAgain(scene, phone)
    const { url } = requestFor('findSession')
    const epoch = (await fetch(server.origin + url)).headers.get(wire.epoch)!
    // The device that opens the app first.
    const order = [...volunteers.slice(8), ...organizers.slice(4), ...volunteers.slice(0, 8), ...organizers.slice(0, 4)]
    for (const phone of order) {
      if (phone.replica) await phone.replica.pull()
      else if ((await offerReceiptsAgain(phone.store, epoch, 168, phone.now())) > 0) phone.wake()
      await delay(50)
    }
    // What one device brings back may be missing while another's is refused.
    const reasons = await retriedByPeople(scene)
    expect(reasons.filter((reason) => !/: (not_found|conflict)$/.test(reason))).toEqual([])

    expect(await truth(database.db)).toEqual(before)
    expect(organizers.map(({ replica }) => replica.resets())).toEqual(organizers.map(() => 1))
    await deliverMails(scene)
    expect(arrivals(service)).toEqual(mailsBefore)
    expect([...mailsBefore.values()].filter((count) => count > 1)).toEqual([])
    // Which of them left is for a person to say.
    const doubted = await database.db('mails').where({ state: 'failed', kind: 'decision' }).select('lastError')
    expect(doubted.length).toBeGreaterThanOrEqual(organizerCount)
    // Everybody's own page opens as before.
    for (const phone of volunteers) {
      const [receipt] = await phone.store.receipts()
      const { token } = receipt!.answer as { token: string }
      const page = requestFor('getOwnApplication')
      const own = await fetch(server.origin + page.url, { headers: { [wire.applicationToken]: token } })
      expect(own.status).toBe(200)
    }
  },
  300_000,
)
