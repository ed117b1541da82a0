import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
  type ECDH,
} from 'node:crypto'
import { createServer, Agent } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { selfSignedCertificate } from '../self-signed-certificate.ts'

/** A message as the browser would get it: decrypted, with what the sender said beside it. */
export interface ReceivedPush {
  readonly endpoint: string
  readonly text: string
  readonly ttl: string | undefined
  readonly topic: string | undefined
  readonly urgency: string | undefined
  /** The claims of the VAPID token, whose signature was checked. */
  readonly vapid: { readonly aud: string; readonly exp: number; readonly sub: string; readonly publicKey: string }
}

/** What a browser hands to the page after subscribing. */
export interface FakeSubscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

export type PushService = Awaited<ReturnType<typeof startPushService>>

interface Browser {
  readonly keys: ECDH
  readonly auth: Buffer
  readonly answers: (Refusal | Stall)[]
}

type Refusal = { status: number; headers?: Record<string, string> } | 'hang up'

interface Stall {
  reached(): void
}

/** A push service on a free loopback port, as strict as the real ones: the token is checked, the message decrypted. */
export async function startPushService() {
  const browsers = new Map<string, Browser>()
  const received: ReceivedPush[] = []
  /** Why requests were refused, for the messages of failing tests. */
  const complaints: string[] = []

  const { key, cert } = selfSignedCertificate()
  const server = createServer({ key, cert }, (request, response) => {
    void buffer(request).then((body) => {
      const browser = browsers.get(request.url ?? '')
      const answer = browser?.answers.shift()
      if (answer === 'hang up') return void request.socket.destroy()
      if (answer && 'status' in answer) return void response.writeHead(answer.status, answer.headers).end()
      if (answer) return answer.reached()
      if (!browser) return void response.writeHead(404).end()
      try {
        const endpoint = `${origin()}${request.url}`
        received.push(accept(request, body, browser, endpoint, origin()))
        return void response.writeHead(201, { location: endpoint }).end()
      } catch (error) {
        complaints.push(String(error))
        return void response.writeHead(403).end(String(error))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `localhost:${(server.address() as AddressInfo).port}`
  const origin = () => `https://${host}`
  const agent = new Agent({ ca: cert })

  function subscriberAt(endpoint: string): Browser {
    const browser = browsers.get(new URL(endpoint).pathname)
    if (!browser) throw new Error(`Nobody subscribed as ${endpoint}`)
    return browser
  }

  return {
    origin: origin(),
    /** For PUSH_HOSTS. */
    host,
    /** PEM of the authority; for an agent, or a file for NODE_EXTRA_CA_CERTS. */
    ca: cert,
    agent,
    received,
    complaints,
    subscribe: (): FakeSubscription => {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomUUID()}`
      browsers.set(path, { keys, auth, answers: [] })
      return {
        endpoint: `${origin()}${path}`,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
      }
    },
    /** The next request to an endpoint gets this answer and is not received; 'hang up' breaks the connection. */
    answerNext: (endpoint: string, answer: Refusal) => void subscriberAt(endpoint).answers.push(answer),
    /** The next request to an endpoint gets no answer, and its message is not taken. Resolves when it is there. */
    stallNext: (endpoint: string) =>
      new Promise<void>((resolve) => void subscriberAt(endpoint).answers.push({ reached: resolve })),
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function accept(
  { method, headers }: IncomingMessage,
  body: Buffer,
  browser: Browser,
  endpoint: string,
  origin: string,
): ReceivedPush {
  if (method !== 'POST') throw new Error(`method ${method}`)
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error(`content-encoding ${headers['content-encoding']}`)
  if (headers['ttl'] === undefined) throw new Error('no TTL')
  if (body.length > 4096) throw new Error(`${body.length} bytes`)
  return {
    endpoint,
    text: decrypt(body, browser),
    ttl: headers['ttl'] as string,
    topic: headers['topic'] as string | undefined,
    urgency: headers['urgency'] as string | undefined,
    vapid: checkToken(headers.authorization ?? '', origin),
  }
}

/** RFC 8292: an ES256 token for this very service, not expired, for at most a day, signed by the key it comes with. */
function checkToken(authorization: string, origin: string): ReceivedPush['vapid'] {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== 65) throw new Error('the key of the token is not a point')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const signed = Buffer.from(`${header}.${claims}`)
  const genuine = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  if (!genuine) throw new Error('the signature of the token is wrong')
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string }
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    aud: string
    exp: number
    sub: string
  }
  const nowSeconds = Date.now() / 1000
  if (alg !== 'ES256') throw new Error(`algorithm ${alg}`)
  if (aud !== origin) throw new Error(`the token is for ${aud}`)
  if (!(exp > nowSeconds && exp <= nowSeconds + 86_400)) throw new Error(`the token expires at ${exp}`)
  if (!/^(mailto:|https:)/.test(sub)) throw new Error(`the token's subject is ${sub}`)
  return { aud, exp, sub, publicKey }
}

/** RFC 8291 as a browser does it, independent of the sender's library. */
function decrypt(body: Buffer, { keys, auth }: Browser): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const secret = derive(keys.computeSecret(senderKey), auth, keyInfo, 32)
  const contentKey = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is wrong')
  return padded.subarray(0, end).toString('utf8')
}
