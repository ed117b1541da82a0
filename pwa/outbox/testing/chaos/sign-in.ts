import { randomUUID } from 'node:crypto'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { demoAccounts, demoPassword } from '../../../../sync-server/db/seeds/demo.ts'

/** A number for an event, with the server's proof that it gave it out. */
export interface LeasedNumber {
  readonly id: number
  readonly lease: string
}

/** Signs Olivia in on another device and leases event numbers for it, before the network turns bad. */
export async function signIn(origin: string, name: string, leases: number) {
  const deviceId = randomUUID()
  const common = {
    'Content-Type': 'application/json',
    'Sec-Fetch-Site': 'same-origin',
    [wire.deviceId]: deviceId,
    [wire.deviceName]: encodeURIComponent(name),
  }
  const ask = async (route: 'login' | 'leaseEventIds', body: unknown, headers: Record<string, string>) => {
    const { method, url } = requestFor(route)
    const answer = await fetch(origin + url, { method, headers: { ...common, ...headers }, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${route} was answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const login = await ask('login', { email: demoAccounts.olivia.email, password: demoPassword }, {})
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { id: userId } = (await login.json()) as { id: number }
  const leased: LeasedNumber[] = []
  while (leased.length < leases) {
    const answer = await ask('leaseEventIds', { count: 20 }, { Cookie: cookie, [wire.idempotencyKey]: randomUUID() })
    const { ids, proofs } = (await answer.json()) as { ids: number[]; proofs: string[] }
    leased.push(...ids.map((id, index) => ({ id, lease: proofs[index]! })))
  }
  return { deviceId, userId, cookie, leased }
}
