import { connect } from 'node:net'

/**
 * Asks the same question over and over on so many kept-alive connections and answers how many whole answers came per
 * second. A plain socket costs so little that the server is what is measured.
 */
export async function requestsPerSecond(
  port: number,
  path: string,
  { connections = 16, seconds = 2, gzip = false } = {},
): Promise<number> {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept-Encoding: ${gzip ? 'gzip' : 'identity'}\r\n\r\n`
  const start = performance.now()
  const end = start + seconds * 1000
  const counts = await Promise.all(Array.from({ length: connections }, () => ask(port, request, end)))
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - start) / 1000)
}

async function ask(port: number, request: string, end: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    let count = 0
    let missing = -1
    let head = ''
    const socket = connect(port, 'localhost', () => socket.write(request))
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      let length = chunk.length
      if (missing < 0) {
        head += chunk.toString('latin1')
        const body = head.indexOf('\r\n\r\n')
        if (body < 0) return
        if (!head.startsWith('HTTP/1.1 200')) {
          socket.destroy()
          reject(new Error(`the server answered ${head.slice(0, 40)}`))
          return
        }
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN)
        length = head.length - body - 4
        head = ''
      }
      missing -= length
      if (missing > 0) return
      count += 1
      missing = -1
      if (performance.now() < end) socket.write(request)
      else {
        socket.destroy()
        resolve(count)
      }
    })
  })
}
