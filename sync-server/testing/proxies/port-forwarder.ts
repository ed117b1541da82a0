import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A connection is led on, hung up on, or accepted and left unanswered. */
type Reception = 'lead on' | 'hang up' | 'leave'

/** Opens a port on loopback whose connections lead to another one; `receive` is asked at each. */
export async function startForwarder(port: number, receive: () => Reception = () => 'lead on') {
  let target: number | undefined = port
  let firstConnectionAt: number | undefined
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    keep(socket)
    const how = target === undefined ? 'hang up' : receive()
    if (how === 'hang up') return void socket.destroy()
    if (how === 'leave' || target === undefined) return
    firstConnectionAt ??= performance.now()
    const onward = connect(target, '127.0.0.1')
    keep(onward)
    socket.pipe(onward).pipe(socket)
    socket.on('close', () => onward.destroy())
    onward.on('close', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  const cut = () => {
    target = undefined
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: own,
    cut,
    moveTo(next: number): void {
      cut()
      target = next
      firstConnectionAt = undefined
    },
    firstConnectionAt: () => firstConnectionAt,
    close: () => {
      cut()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Opens one that leads to a database on this machine; `url` is the database's address by that way. */
export async function startRoadTo(connectionString: string, receive?: () => Reception) {
  const url = new URL(connectionString)
  const road = await startForwarder(Number(url.port), receive)
  url.port = String(road.port)
  return { ...road, url: url.href }
}
