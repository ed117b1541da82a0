import { randomUUID } from 'node:crypto'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { demoAccounts, demoPassword } from '../../../../sync-server/db/seeds/demo.ts'

/** A number for an event, with the server's proof that it gave it out. */
export interface LeasedNumber {
  readonly id: number
  readonly lease: string
}

interface SignedIn {
  readonly deviceId: string
  readonly userId: number
  readonly cookie: string
}

/** What a device sends before the network turns bad, and the answer to it. */
async function ask(
  origin: string,
  route: 'login' | 'leaseEventIds',
  body: unknown,
  headers: Record<string, string>,
): Promise<Response> {
  const { method, url } = requestFor(route)
  const answer = await fetch(origin + url, {
    method,
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${route} was answered ${answer.status}: ${await answer.text()}`)
  return answer
}

/** Signs Olivia in on a device, another one unless it is named. */
export async function signIn(origin: string, name: string, deviceId: string = randomUUID()): Promise<SignedIn> {
  const login = await ask(
    origin,
    'login',
    { email: demoAccounts.olivia.email, password: demoPassword },
    { [wire.deviceId]: deviceId, [wire.deviceName]: encodeURIComponent(name) },
  )
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { id: userId } = (await login.json()) as { id: number }
  return { deviceId, userId, cookie }
}

/** Leases so many event numbers for a device that is signed in. */
export async function leaseNumbers(
  origin: string,
  { deviceId, cookie }: Pick<SignedIn, 'deviceId' | 'cookie'>,
  count: number,
): Promise<LeasedNumber[]> {
  const leased: LeasedNumber[] = []
  while (leased.length < count) {
    const headers = { [wire.deviceId]: deviceId, Cookie: cookie, [wire.idempotencyKey]: randomUUID() }
    const answer = await ask(origin, 'leaseEventIds', { count: Math.min(20, count - leased.length) }, headers)
    const { ids, proofs } = (await answer.json()) as { ids: number[]; proofs: string[] }
    leased.push(...ids.map((id, index) => ({ id, lease: proofs[index]! })))
  }
  return leased
}
