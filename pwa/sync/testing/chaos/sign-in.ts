import { randomUUID } from 'node:crypto'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { demoAccounts, demoPassword } from '../../../../sync-server/db/seeds/seed-demo.ts'

interface SignedIn {
  readonly deviceId: string
  readonly userId: number
  readonly cookie: string
}

/** Signs Olivia in on a device, another one unless it is named, before the network turns bad. */
export async function signIn(origin: string, name: string, deviceId: string = randomUUID()): Promise<SignedIn> {
  const { method, url } = requestFor('login')
  const answer = await fetch(origin + url, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      [wire.deviceId]: deviceId,
      [wire.deviceName]: encodeURIComponent(name),
    },
    body: JSON.stringify({ email: demoAccounts.olivia.email, password: demoPassword }),
  })
  if (!answer.ok) throw new Error(`The sign-in was answered ${answer.status}: ${await answer.text()}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { id: userId } = (await answer.json()) as { id: number }
  return { deviceId, userId, cookie }
}
