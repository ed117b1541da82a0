import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Client } from 'pg'

export type TransactionPooler = Awaited<ReturnType<typeof startTransactionPooler>>

interface Session {
  readonly socket: Socket
  client: Socket | undefined
  /** Questions without an answer yet. */
  unanswered: number
}

/** AuthenticationOk, and ReadyForQuery outside of a transaction. */
const accepted = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0'), Buffer.from('Z\0\0\0\x05I')])
const sync = Buffer.from('S\0\0\0\x04')
const rollback = Buffer.from('Q\0\0\0\x0dROLLBACK\0')
const [QUERY, SYNC, TERMINATE, READY_FOR_QUERY, IDLE] = [0x51, 0x53, 0x58, 0x5a, 0x49]

/**
 * A pooler in transaction mode, as PgBouncer 1.18: a client, who needs no password, has a session of PostgreSQL from a
 * statement to the end of its transaction. Sessions outlive their clients, with whatever was set in them; the one that became
 * free last is lent next.
 */
export async function startTransactionPooler(connectionString: string, size = 3) {
  const sessions = await Promise.all(Array.from({ length: size }, () => openSession(connectionString)))
  const free = [...sessions]
  const asked = new Map<Socket, Buffer[]>()
  const waiting = new Set<Socket>()
  const lentTo = (client: Socket) => sessions.find((session) => session.client === client)

  function serve(client: Socket): void {
    const session = lentTo(client) ?? free.pop()
    if (!session) return void waiting.add(client)
    waiting.delete(client)
    session.client = client
    for (const message of asked.get(client)?.splice(0) ?? []) ask(session, message)
  }

  function ask(session: Session, message: Buffer): void {
    if (message[0] === QUERY || message[0] === SYNC) session.unanswered += 1
    session.socket.write(message)
  }

  for (const session of sessions) {
    const read = messageReader()
    session.socket.on('error', () => undefined)
    session.socket.on('data', (chunk: Buffer) => {
      session.client?.write(chunk)
      for (const message of read(chunk)) {
        if (message[0] !== READY_FOR_QUERY) continue
        session.unanswered -= 1
        if (message[5] !== IDLE || session.unanswered > 0) continue
        session.client = undefined
        free.push(session)
        const [next] = waiting
        if (next) serve(next)
      }
    })
  }

  const server = createServer((client) => {
    asked.set(client, [])
    const read = messageReader()
    let hasStarted = false
    client.on('error', () => undefined)
    client.on('data', (chunk) => {
      if (!hasStarted) {
        hasStarted = true
        return void client.write(accepted)
      }
      const messages = read(chunk).filter((message) => message[0] !== TERMINATE)
      if (messages.length === 0) return
      asked.get(client)?.push(...messages)
      serve(client)
    })
    client.on('close', () => {
      asked.delete(client)
      waiting.delete(client)
      const session = lentTo(client)
      if (!session) return
      ask(session, sync)
      ask(session, rollback)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(connectionString)
  address.port = String((server.address() as AddressInfo).port)
  return {
    /** The address of the database, by way of the pooler. */
    connectionString: address.href,
    close: async () => {
      for (const client of asked.keys()) client.destroy()
      for (const { socket } of sessions) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Signed in by pg, which then hears nothing more of it. */
async function openSession(connectionString: string): Promise<Session> {
  const client = new Client({ connectionString, application_name: 'a pooler' })
  await client.connect()
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection
  socket.removeAllListeners()
  return { socket, client: undefined, unanswered: 0 }
}

/** Cuts what comes into messages: a letter, a length that counts itself, the rest. */
function messageReader(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: Buffer[] = []
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1)
      messages.push(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    return messages
  }
}
