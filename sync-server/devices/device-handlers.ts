import { createECDH } from 'node:crypto'
import { signedIn } from '../accounts/signed-in.ts'
import type { Handler, Room } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'
import { isPushEndpoint } from '../push/push-endpoints.ts'
import { getVapidKeys } from '../push/vapid-keys.ts'
import { removePushSubscription, savePushSubscription } from './push-subscription-store.ts'

const getPushKey: Handler<'getPushKey'> = async (call) => {
  signedIn(call)
  return { publicKey: (await getVapidKeys(call.db)).publicKey }
}

const subscribePush: Handler<'subscribePush'> = async (call) => {
  const { userId } = signedIn(call)
  const { endpoint, keys } = call.body
  if (!isPushEndpoint(endpoint, call.config.pushHosts)) {
    const message = 'This is not the address of a known push service'
    throw new ProblemError('invalid_input', message, { fields: { endpoint: message } })
  }
  if (!isPublicKey(keys.p256dh) || Buffer.from(keys.auth, 'base64url').length !== 16) {
    const message = 'These are not the keys of a push subscription'
    throw new ProblemError('invalid_input', message, { fields: { keys: message } })
  }
  const saved = await savePushSubscription(call.db, {
    userId,
    sessionHash: call.sessionHash,
    // Without a device's own id its endpoint stands for it, so that two nameless devices do not replace each other.
    deviceId: call.device?.id ?? endpoint,
    deviceName: call.device?.name ?? null,
    endpoint,
    p256dh: keys.p256dh,
    auth: keys.auth,
  })
  if (saved === 'session-ended')
    throw new ProblemError('session_revoked', 'This session was ended. Please sign in again.')
  return undefined
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

const unsubscribePush: Handler<'unsubscribePush'> = async (call) => {
  await removePushSubscription(call.db, signedIn(call).userId, call.body.endpoint)
  return undefined
}

/** Where a signed-in person's devices are alerted. */
export const deviceHandlers: Room<'getPushKey' | 'subscribePush' | 'unsubscribePush'> = {
  getPushKey,
  subscribePush,
  unsubscribePush,
}
