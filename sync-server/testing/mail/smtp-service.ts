import type { AddressInfo, Socket } from 'node:net'
import { domainToASCII } from 'node:url'
import { SMTPServer } from 'smtp-server'
import { decodeWords, leavesOf, parseMime, type MimePart } from './mime.ts'

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and parts, still encoded. */
  readonly raw: string
}

/** Where a conversation can be held up: before the reply to each of these, `answer` being the one that takes the mail. */
export type SmtpStep = 'greeting' | 'mail' | 'rcpt' | 'data' | 'answer'

export type SmtpService = Awaited<ReturnType<typeof startSmtpService>>

/**
 * A mail server on loopback that keeps what it is given, on a free port unless told otherwise. `takesUnicode`: offers
 * SMTPUTF8.
 */
export async function startSmtpService(port = 0, { takesUnicode = true } = {}) {
  /** What it took, or was given whole before it could say so. */
  const received: ReceivedMail[] = []
  /** Recipients that it refuses, with the status it answers. */
  const refused = new Map<string, number>()
  /** Statuses with which it refuses the next mails once it has them. */
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
    hideSMTPUTF8: !takesUnicode,
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
          // The library shows international domains in their own letters, which are not on the wire.
          to: envelope.rcptTo.map(({ address }) => address.replace(/[^@]+$/, domainToASCII)),
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
  /** Breaks every connection. */
  const hangUp = () => sockets.forEach((socket) => socket.destroy())
  return {
    /** For SMTP_URL. */
    url: `smtp://127.0.0.1:${listening}`,
    received,
    refused,
    refusedWhole,
    /** Holds up every conversation at a step, `data` being before it reads the mail, until it is released. */
    stallAt: (step: SmtpStep) => {
      let release = () => undefined as void
      const released = new Promise<void>((resolve) => {
        release = () => {
          stalls.delete(step)
          resolve()
        }
      })
      /** When one has come to the step. */
      const reached = new Promise<void>((reach) => stalls.set(step, { reach, released }))
      return { reached, release: () => release() }
    },
    hangUp,
    close: () => {
      hangUp()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The header lines and the parts of a mail, decoded, in their order: as a mail program shows them. */
export function readMail({ raw }: ReceivedMail) {
  const mail = parseMime(raw)
  const whole = leavesOf(mail).map((leaf) => ({ headers: decodedHeaders(leaf), body: leaf.content }))
  return { headers: decodedHeaders(mail), parts: whole.map(({ body }) => body), whole }
}

const decodedHeaders = ({ headers }: MimePart): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name, decodeWords(value)]))
