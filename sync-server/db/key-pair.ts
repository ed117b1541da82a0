import { generateKeyPairSync } from 'node:crypto'
import type { EventRow } from './rows/event-rows.ts'

/** A pair is made once for an event, on P-256, which every browser's WebCrypto knows. Both halves are in base64url. */
export function newKeyPair(): Pick<EventRow, 'sealingKey' | 'openingKey'> {
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  // Browsers import a point in its uncompressed form alone.
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { sealingKey: point.toString('base64url'), openingKey: d }
}
