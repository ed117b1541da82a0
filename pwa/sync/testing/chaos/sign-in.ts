import { randomUUID } from 'node:crypto'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { demoAccounts, demoPassword } from '../../../../sync-server/db/seeds/seed-demo.ts'

interface SignedIn {
  readonly deviceId: string
  readonly userId: number
  readonly cookie: string
}

/** What a device sends before the network turns bad, and the answer to it. */
async function ask(origin: string, route: 'login', body: unknown, headers: Record<string, string>): Promise<Response> {
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
