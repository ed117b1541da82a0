import { describe, expect, it } from 'vitest'
import { setTestDatabase } from '../testing/test-database.ts'
import { createKnex } from './knex-config.ts'
import { isMigrated, migrate } from './migrate.ts'
import { migrationSource } from './migrations.ts'

const { db, connectionString } = await setTestDatabase()

const all = (await migrationSource.getMigrations([])).map(({ name }) => name)

/** Back to a database no migration has seen. */
async function empty(): Promise<void> {
  await db.raw('drop schema public cascade')
  await db.raw('create schema public')
}

describe('migrations', () => {
  it('run once when four processes start together', async () => {
    await empty()
    const processes = Array.from({ length: 4 }, () => createKnex(connectionString))
    const ran = await Promise.all(processes.map((db) => migrate(db)))
    expect(ran.flat()).toEqual(all)
    expect(await isMigrated(db)).toBe(true)
    await Promise.all(processes.map((db) => db.destroy()))
  })

  it('go on after a process was killed while it held the lock of knex', async () => {
    await empty()
    await migrate(db)
    // What the killed one leaves: knex's own tables, its lock taken, and nothing of its transaction.
    await db.raw(`
      create schema kept;
      alter table knex_migrations set schema kept;
      alter table knex_migrations_lock set schema kept;
      drop schema public cascade;
      alter schema kept rename to public;
      delete from knex_migrations`)
    await db('knex_migrations_lock').update({ isLocked: 1 })
    expect(await isMigrated(db)).toBe(false)
    expect(await migrate(db)).toEqual(all)
  })

  it('of a newer version are left alone by an older server, but not those of another program', async () => {
    await empty()
    await migrate(db)
    const [last] = await db('knex_migrations').orderBy('id', 'desc').limit(1)
    await db('knex_migrations').insert({ ...last, id: undefined, name: '999-later' })
    const said: string[] = []
    expect(await migrate(db, { say: (message) => said.push(message) })).toEqual([])
    expect(said).toEqual([expect.stringContaining('newer version (999-later)')])
    expect(await isMigrated(db)).toBe(true)
    await db('knex_migrations').where({ name: last.name }).del()
    await expect(migrate(db)).rejects.toThrow(`it has 999-later and lacks ${last.name}`)
  })
})

describe('the migration of event words', () => {
  it('makes events findable that were published before it', async () => {
    await empty()
    await migrate(db)
    await db.raw(`
      drop table event_words cascade;
      drop trigger events_words_follow on events;
      delete from knex_migrations where name = '005-event-words';
      insert into users (id, username, email, password_hash) values (1, 'olivia', 'olivia@example.com', 'none');
      insert into events (id, organizer_id, name, description, start_date, end_date, location, address, time_zone,
        beacon_incentives, sealing_key, opening_key)
      values (1, 1, 'Soirée', 'Talks', '2099-03-01', '2099-03-01', 'Łódź', 'Street', 'UTC', 'Ticket', 's', 'o')`)
    expect(await migrate(db)).toEqual(['005-event-words'])
    expect(await db('event_words').pluck('words')).toEqual(['soiree\nlodz\ntalks'])
  })
})

describe('values read from the database', () => {
  it('keep a calendar day, a clock time and a count as they are', async () => {
    const { rows } = await db.raw(
      `select date '2026-03-01' as day, time '09:30' as clock, bigint '9007199254740991' as big`,
    )
    expect(rows).toEqual([{ day: '2026-03-01', clock: '09:30', big: 9007199254740991 }])
  })

  it('refuse a whole number that would lose digits', async () => {
    await expect(db.raw(`select bigint '9007199254740993'`)).rejects.toThrow('does not fit a number')
  })
})
