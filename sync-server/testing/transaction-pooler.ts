import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/**
 * What a pooler in transaction mode does to those who are not in a transaction: all clients share one session of the
 * server, which lives on when they have left. Clients take turns in asking; the first one signs in.
 */
export interface TransactionPooler {
  /** The address of the database, by way of the pooler. */
  readonly connectionString: string
  close(): Promise<void>
}

/** AuthenticationOk, and ReadyForQuery outside of a transaction. */
const accepted = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0'), Buffer.from('Z\0\0\0\x05I')])
const TERMINATE = 0x58
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5])

export async function startTransactionPooler(connectionString: string): Promise<TransactionPooler> {
  const target = new URL(connectionString)
  const session = connect(Number(target.port), target.hostname)
  const clients = new Set<Socket>()
  let asking: Socket | undefined
  let isSignedIn = false
  session.on('error', () => undefined)
  session.on('data', (chunk) => {
    isSignedIn ||= chunk.includes(READY_FOR_QUERY)
    asking?.write(chunk)
  })
  const server = createServer((client) => {
    clients.add(client)
    let hasStarted = false
    client.on('error', () => undefined)
    client.on('data', (chunk) => {
      if (!hasStarted) {
        hasStarted = true
        if (isSignedIn) return void client.write(accepted)
      }
      if (chunk[0] === TERMINATE) return
      asking = client
      session.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(connectionString)
  address.port = String((server.address() as AddressInfo).port)
  return {
    connectionString: address.href,
    close: async () => {
      for (const client of clients) client.destroy()
      session.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
