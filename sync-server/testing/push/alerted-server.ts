import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startTestServer, type TestClient, type TestServer } from '../test-server.ts'
import { startPushService, type PushService } from './push-service.ts'

/** A server whose devices may have alerts, with a push service of ours; Olivia is anew for each test. */
interface AlertedServer {
  readonly server: TestServer
  readonly oliviaId: number
  /** A device on which somebody is signed in, Olivia unless said otherwise. */
  signedIn(name: string, userId?: number): Promise<TestClient>
  /** Turns alerts on for a device; answers the HTTP status. */
  subscribe(client: TestClient, headers?: Record<string, string>): Promise<number>
}

/** Sets the stage for the tests of the calling file. */
export function setAlertedServer(): AlertedServer {
  let service: PushService
  let server: TestServer
  let oliviaId: number

  beforeAll(async () => {
    service = await startPushService()
    server = await startTestServer({ config: { pushHosts: [service.host] } })
  })
  afterAll(async () => {
    await server.close()
    await service.close()
  })
  beforeEach(async () => {
    await server.db('users').del()
    oliviaId = await server.createUser('Olivia')
  })

  return {
    get server() {
      return server
    },
    get oliviaId() {
      return oliviaId
    },
    signedIn: async (name, userId = oliviaId) => {
      const client = server.client({ id: name, name })
      await client.signInAs(userId)
      return client
    },
    subscribe: async (client, headers = {}) => {
      const body = { ...service.subscribe(), expirationTime: null }
      return (await client.call('subscribePush', { body, headers })).status
    },
  }
}
