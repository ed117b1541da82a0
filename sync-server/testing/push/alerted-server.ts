import { afterAll, beforeEach } from 'vitest'
import { setTestServer, type TestClient } from '../test-server.ts'
import { startPushService } from './push-service.ts'

/** A server whose devices may have alerts, with a push service of ours, for the tests of the calling file. */
export async function setAlertedServer() {
  const service = await startPushService()
  afterAll(() => service.close())
  const server = await setTestServer({ config: { pushHosts: [service.host] } })
  /** Each test's own. */
  const olivia = { id: 0 }

  beforeEach(async () => {
    await server.db('users').del()
    olivia.id = await server.createUser('Olivia')
  })

  return {
    server,
    olivia,
    /** A device on which a user is signed in, Olivia unless said otherwise. */
    signedIn: async (name: string, userId = olivia.id) => {
      const client = server.client({ id: name, name })
      await client.signInAs(userId)
      return client
    },
    /** Turns alerts on for a device; answers the HTTP status. */
    subscribe: async (client: TestClient, headers: Record<string, string> = {}) => {
      const body = { ...service.subscribe(), expirationTime: null }
      return (await client.call('subscribePush', { body, headers })).status
    },
  }
}
