import type { IncomingMessage } from 'node:http'
import { isLocal } from '../config.ts'

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/**
 * Whether a request comes from this machine and was meant for it. The name it asks for counts too: a foreign page whose
 * own name was made to lead here (DNS rebinding) comes from a browser on this machine, and would read the answer as its
 * own. The header is read as it came, since such a page can send every header that a proxy would add.
 */
export function isOfThisMachine(request: IncomingMessage): boolean {
  const origin = `http://${request.headers.host ?? ''}`
  return loopback.test(request.socket.remoteAddress ?? '') && URL.canParse(origin) && isLocal(origin)
}
