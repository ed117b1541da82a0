import { connect, createServer, type Socket } from 'node:net'

/** A loopback proxy that makes every byte arrive later, in both directions. */
export interface DelayingProxy {
  readonly origin: string
  close(): Promise<void>
}

/** @param roundTripMs how much longer a question and its answer take together; half of it on each way */
export async function startDelayingProxy(targetPort: number, roundTripMs: number): Promise<DelayingProxy> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    for (const socket of [near, far]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => open.delete(socket))
    }
    pass(near, far, roundTripMs / 2)
    pass(far, near, roundTripMs / 2)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://localhost:${port}`,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function pass(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (chunk) => setTimeout(() => void to.write(chunk), delayMs))
  from.on('end', () => setTimeout(() => void to.end(), delayMs))
  from.on('close', () => setTimeout(() => void to.destroy(), delayMs))
}
