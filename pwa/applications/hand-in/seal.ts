/**
 * Everyone who knows the public half of a pair can seal, and only the private half opens: an ephemeral key of P-256 agrees on
 * a secret, HKDF makes a key of it that is used once, and AES-GCM seals with that. Each of them is in every browser.
 */
const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const pointBytes = 65
const purpose = new TextEncoder().encode('beaconry application by codes')

type Bytes = Uint8Array<ArrayBuffer>

export interface KeyPair {
  /** This is an uncompressed point in base64url. */
  readonly sealingKey: string
  readonly openingKey: string
}

export function fromBase64Url(text: string): Bytes {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

const toBase64Url = (bytes: Bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** @param about what the opener must know too, unsealed */
export async function seal(sealingKey: string, content: Bytes, about: Bytes): Promise<Bytes> {
  const theirs = await crypto.subtle.importKey('raw', fromBase64Url(sealingKey), curve, false, [])
  const own = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', own.publicKey))
  const { key, iv } = await agree(own.privateKey, theirs, point)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: about }, key, content)
  return Uint8Array.from([...point, ...new Uint8Array(sealed)])
}

/** Throws for what was not sealed like this with the pair's public half, or was changed since. */
export async function open({ sealingKey, openingKey }: KeyPair, sealed: Bytes, about: Bytes): Promise<Bytes> {
  const point = sealed.slice(0, pointBytes)
  const theirs = await crypto.subtle.importKey('raw', point, curve, false, [])
  const { key, iv } = await agree(await privateKeyOf(sealingKey, openingKey), theirs, point)
  const opening = { name: 'AES-GCM', iv, additionalData: about }
  return new Uint8Array(await crypto.subtle.decrypt(opening, key, sealed.slice(pointBytes)))
}

async function privateKeyOf(sealingKey: string, openingKey: string): Promise<CryptoKey> {
  const point = fromBase64Url(sealingKey)
  const [x, y] = [point.slice(1, 33), point.slice(33)].map(toBase64Url) as [string, string]
  return await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y, d: openingKey }, curve, false, [
    'deriveBits',
  ])
}

const keyBytes = 32
const ivBytes = 12

async function agree(own: CryptoKey, theirs: CryptoKey, salt: Bytes): Promise<{ key: CryptoKey; iv: Bytes }> {
  const secret = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, own, 256)
  const source = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: purpose }
  const made = new Uint8Array(await crypto.subtle.deriveBits(how, source, 8 * (keyBytes + ivBytes)))
  const key = await crypto.subtle.importKey('raw', made.slice(0, keyBytes), 'AES-GCM', false, ['encrypt', 'decrypt'])
  return { key, iv: made.slice(keyBytes) }
}
