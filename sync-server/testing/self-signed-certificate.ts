import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const oid = {
  ecdsaWithSha256: '06082a8648ce3d040302',
  commonName: '0603550403',
  subjectAltName: '0603551d11',
  basicConstraints: '0603551d13',
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const hex = (text: string) => Buffer.from(text, 'hex')
const text = (tag: number, value: string) => der(tag, Buffer.from(value))
const utcTime = (instant: Date) => text(0x17, `${instant.toISOString().replace(/\D/g, '').slice(2, 14)}Z`)

/**
 * A TLS key and its certificate (PEM) for localhost and 127.0.0.1, its own authority, valid for a day; written by hand so that no
 * openssl is needed.
 */
export function selfSignedCertificate(now = new Date()) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(hex(oid.ecdsaWithSha256))
  const name = sequence(der(0x31, sequence(hex(oid.commonName), text(0x0c, 'Loopback push service'))))
  const dayMs = 86_400_000
  const names = sequence(text(0x82, 'localhost'), der(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = sequence(
    sequence(hex(oid.basicConstraints), der(0x01, hex('ff')), der(0x04, sequence(der(0x01, hex('ff'))))),
    sequence(hex(oid.subjectAltName), der(0x04, names)),
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(utcTime(new Date(now.getTime() - dayMs)), utcTime(new Date(now.getTime() + dayMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const lines = sequence(body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}
