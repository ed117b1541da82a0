import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { PushSubscriptionRow } from '../db/rows/message-rows.ts'
import { sessionHash } from '../http/session-cookies.ts'

/** A user whom no password signs in, unless `columns` bring the hash of one; answers the id. */
export async function addUser(
  db: Knex,
  username: string,
  columns: Partial<Pick<UserRow, 'isAdmin' | 'passwordHash' | 'createdAt'>> = {},
): Promise<number> {
  const email = `${username.toLowerCase()}@example.com`
  const [row] = await db('users')
    .insert({ username, email, passwordHash: 'none', ...columns })
    .returning('id')
  return row!.id
}

/** Signs somebody in without a password, by a session that ends tomorrow unless said otherwise; answers its cookie's value. */
export async function addSession(
  db: Knex,
  userId: number,
  { endsAt = new Date(Date.now() + 86_400_000), ...device }: SessionColumns = {},
): Promise<string> {
  const cookie = randomBytes(32).toString('base64url')
  const idHash = sessionHash(cookie)
  await db('sessions').insert({ idHash, userId, ...device, expiresAt: endsAt, absoluteExpiresAt: endsAt })
  return cookie
}

interface SessionColumns {
  readonly endsAt?: Date
  readonly deviceId?: string
  readonly deviceName?: string
}

/** Turns alerts on for a device, at an address where no push service is. */
export async function addAlertedDevice(
  db: Knex,
  userId: number,
  deviceId = 'phone',
  columns: Partial<PushSubscriptionRow> = {},
): Promise<void> {
  const endpoint = `https://push.example/${userId}/${deviceId}`
  await db('push_subscriptions').insert({ userId, deviceId, endpoint, p256dh: '', auth: '', ...columns })
}

/** What the devices of an account are told of it. */
export async function accountDocument(db: Knex, userId: number): Promise<any> {
  const told = await db('sync_log')
    .where({ scope: `account:${userId}` })
    .first('body')
  return JSON.parse(told?.body ?? '{}')
}
