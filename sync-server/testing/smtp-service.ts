import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and parts, still encoded. */
  readonly raw: string
}

/** A mail server on loopback that keeps what it is given. */
export interface SmtpService {
  /** For SMTP_URL. */
  readonly url: string
  readonly received: ReceivedMail[]
  /** Recipients that it refuses, with the status it answers. */
  readonly refused: Map<string, number>
  close(): Promise<void>
}

/** Starts a mail server on a free port. */
export async function startSmtpService(): Promise<SmtpService> {
  const received: ReceivedMail[] = []
  const refused = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, answer) => {
      const status = refused.get(address)
      if (status === undefined) answer()
      else answer(Object.assign(new Error('not here'), { responseCode: status }))
    },
    onData: (stream, { envelope }, answer) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString('utf8'),
        })
        answer()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The header lines and the parts of a mail, decoded: as a mail program shows them. */
export function readMail({ raw }: ReceivedMail): {
  readonly headers: Readonly<Record<string, string>>
  readonly parts: readonly string[]
} {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1]
  const bodies = boundary === undefined ? [raw] : rest.join('\r\n\r\n').split(`--${boundary}`).slice(1, -1)
  return { headers: headersOf(head), parts: bodies.map(partOf) }
}

function headersOf(head: string): Record<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  )
}

function partOf(part: string): string {
  const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n')
  const body = rest.join('\r\n\r\n').trim()
  const encoding = headersOf(head)['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
