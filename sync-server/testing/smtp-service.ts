import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and parts, still encoded. */
  readonly raw: string
}

/** Where a conversation can be held up: before the reply to each of these, `answer` being the one that takes the mail. */
export type SmtpStep = 'greeting' | 'mail' | 'rcpt' | 'data' | 'answer'

/** A conversation that is held up. */
export interface Stall {
  /** When one has come to the step. */
  readonly reached: Promise<void>
  /** Lets it go on, and those after it. */
  release(): void
}

/** A mail server on loopback that keeps what it is given. */
export interface SmtpService {
  /** For SMTP_URL. */
  readonly url: string
  /** What it took, or was given whole before it could say so. */
  readonly received: ReceivedMail[]
  /** Recipients that it refuses, with the status it answers. */
  readonly refused: Map<string, number>
  /** Statuses with which it refuses the next mails once it has them. */
  readonly refusedWhole: number[]
  /** Holds up every conversation at a step, `data` being before it reads the mail. */
  stallAt(step: SmtpStep): Stall
  /** Breaks every connection. */
  hangUp(): void
  close(): Promise<void>
}

/** Starts a mail server, on a free port unless told otherwise. */
export async function startSmtpService(port = 0): Promise<SmtpService> {
  const received: ReceivedMail[] = []
  const refused = new Map<string, number>()
  const refusedWhole: number[] = []
  const sockets = new Set<Socket>()
  const stalls = new Map<SmtpStep, { reach: () => void; released: Promise<void> }>()
  const pass = async (step: SmtpStep) => {
    const stall = stalls.get(step)
    stall?.reach()
    await stall?.released
  }
  const refusal = (responseCode: number) => Object.assign(new Error('not here'), { responseCode })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect: (_session, answer) => void pass('greeting').then(() => answer()),
    onMailFrom: (_address, _session, answer) => void pass('mail').then(() => answer()),
    onRcptTo: ({ address }, _session, answer) => {
      const status = refused.get(address)
      void pass('rcpt').then(() => answer(status === undefined ? undefined : refusal(status)))
    },
    onData: (stream, { envelope }, answer) => {
      const pieces: Buffer[] = []
      stream.on('end', () => {
        const status = refusedWhole.shift()
        if (status !== undefined) return answer(refusal(status))
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString('utf8'),
        })
        void pass('answer').then(() => answer())
      })
      void pass('data').then(() => stream.on('data', (piece: Buffer) => pieces.push(piece)))
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: listening } = server.server.address() as AddressInfo
  const hangUp = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: `smtp://127.0.0.1:${listening}`,
    received,
    refused,
    refusedWhole,
    stallAt: (step) => {
      let release = () => undefined as void
      const released = new Promise<void>((resolve) => {
        release = () => {
          stalls.delete(step)
          resolve()
        }
      })
      const reached = new Promise<void>((reach) => stalls.set(step, { reach, released }))
      return { reached, release: () => release() }
    },
    hangUp,
    close: () => {
      hangUp()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** A part of a mail, decoded. */
export interface MailPart {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The header lines and the parts of a mail, decoded, in their order: as a mail program shows them. */
export function readMail({ raw }: ReceivedMail): {
  readonly headers: Readonly<Record<string, string>>
  readonly parts: readonly string[]
  readonly whole: readonly MailPart[]
} {
  const whole = partsOf(raw)
  return { headers: headersOf(raw.split('\r\n\r\n')[0] ?? ''), parts: whole.map(({ body }) => body), whole }
}

/** Down to the leaves: a mail with a file holds its text and its HTML one level deeper. */
function partsOf(raw: string): MailPart[] {
  const part = raw.replace(/^\r\n/, '')
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const headers = headersOf(head)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return [{ headers, body: decoded(rest.join('\r\n\r\n'), headers) }]
  return rest
    .join('\r\n\r\n')
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((inner) => partsOf(inner))
}

function headersOf(head: string): Record<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', decodedWords(line.replace(/^[^:]*:\s*/, ''))]),
  )
}

/** What is not ASCII in a header (RFC 2047). */
function decodedWords(text: string): string {
  return text
    .replace(/(=\?utf-8\?[bq]\?[^?]*\?=)\s+(?==\?utf-8\?)/gi, '$1')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decoded(word.replaceAll('_', ' '), { 'content-transfer-encoding': 'quoted-printable' }),
    )
}

function decoded(text: string, headers: Readonly<Record<string, string>>): string {
  const body = text.replace(/\r\n$/, '')
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
