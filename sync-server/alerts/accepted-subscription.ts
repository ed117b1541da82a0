import { createECDH } from 'node:crypto'
import type { HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { parsePushEndpoint } from './push-endpoints.ts'

/** Where a message can be sent, and for whom it is encrypted. */
export interface AcceptedSubscription {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** What a browser handed to its page, checked. Throws `invalid_input` for an address elsewhere and for keys that are none. */
export function acceptSubscription(
  { endpoint: given, keys }: Pick<HandlerCall<'tellThisPhone'>['body'], 'endpoint' | 'keys'>,
  pushHosts: readonly string[] | null,
): AcceptedSubscription {
  const endpoint = parsePushEndpoint(given, pushHosts)
  if (endpoint === undefined) {
    const message = 'This is not the address of a known push service'
    throw new ProblemError('invalid_input', message, { fields: { endpoint: message } })
  }
  if (!isPublicKey(keys.p256dh) || Buffer.from(keys.auth, 'base64url').length !== 16) {
    const message = 'These are not the keys of a push subscription'
    throw new ProblemError('invalid_input', message, { fields: { keys: message } })
  }
  return { endpoint, p256dh: keys.p256dh, auth: keys.auth }
}

/** Whether a message can be encrypted to this key: a point on the curve, uncompressed. */
function isPublicKey(text: string): boolean {
  const key = Buffer.from(text, 'base64url')
  if (key.length !== 65 || key[0] !== 4) return false
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  try {
    ecdh.computeSecret(key)
    return true
  } catch {
    return false
  }
}
