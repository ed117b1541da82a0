import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MailNotSent } from './mail-transport.ts'

export interface SmtpPatience {
  /** To connect, and to greet. */
  readonly connectMs: number
  /** From the connection to the last piece of a mail. */
  readonly offerMs: number
  /** For the answer to a mail. RFC 5321 asks for ten minutes; many servers check for spam first. */
  readonly answerMs: number
}

interface SmtpEnvelope {
  readonly from: string
  readonly to: readonly string[]
}

interface SmtpOffer {
  readonly envelope: SmtpEnvelope
  readonly mail: Buffer
  beforeLastPiece(): Promise<void>
  readonly signal: AbortSignal | undefined
}

/** Kept, so that a hundred decisions are not a hundred sign-ins. */
export interface SmtpConnections {
  /** @throws MailNotSent, or what `beforeLastPiece` threw */
  offer(offer: SmtpOffer): Promise<void>
  close(): void
}

const mostIdle = 4
const idleMs = 30_000
const mostMailsEach = 100

interface Line {
  readonly connection: SMTPConnection
  mails: number
}

/**
 * nodemailer's own pool repeats mails and has one time limit for all. Here each mail is offered once, and the moment
 * from which the server may have it is known.
 * @param url holds name and password: never to be logged
 */
export function createSmtpConnections(url: string, patience: SmtpPatience): SmtpConnections {
  const { auth, ...server } = parseConnectionUrl(url)
  const idle: Line[] = []
  const offering = new Set<() => void>()
  let isClosed = false

  async function open(signal: AbortSignal): Promise<Line> {
    const connection = new SMTPConnection({
      ...server,
      connectionTimeout: patience.connectMs,
      greetingTimeout: patience.connectMs,
      socketTimeout: patience.answerMs,
    })
    // A kept connection may break while unused.
    connection.on('error', () => undefined)
    try {
      await settle(connection, signal, (done) => connection.connect(done))
      if (auth && connection.allowsAuth) await settle(connection, signal, (done) => connection.login(auth, done))
    } catch (error) {
      connection.close()
      throw error
    }
    const line = { connection, mails: 0 }
    connection.once('end', () => drop(line))
    return line
  }

  function keep(line: Line): void {
    if (isClosed || line.mails >= mostMailsEach || idle.length >= mostIdle) return line.connection.quit()
    idle.push(line)
    const mails = line.mails
    setTimeout(() => {
      if (line.mails === mails && drop(line)) line.connection.quit()
    }, idleMs).unref()
  }

  function drop(line: Line): boolean {
    const index = idle.indexOf(line)
    if (index !== -1) idle.splice(index, 1)
    return index !== -1
  }

  async function give(line: Line, offer: SmtpOffer, progress: Progress, signal: AbortSignal): Promise<void> {
    line.mails += 1
    const message = Readable.from(pieces(offer, progress), { objectMode: false })
    const envelope = { from: offer.envelope.from, to: [...offer.envelope.to] }
    const mayAbort = () => progress.reached === 'nothing' || progress.reached === 'begun'
    await settle(line.connection, signal, (done) => line.connection.send(envelope, message, done), mayAbort)
  }

  async function offerOnce(offer: SmtpOffer, progress: Progress, signal: AbortSignal): Promise<void> {
    const kept = idle.pop()
    if (kept) {
      try {
        await give(kept, offer, progress, signal)
        return keep(kept)
      } catch (error) {
        kept.connection.close()
        // The server may have hung up on a kept connection; it has seen nothing of this mail.
        if (progress.reached !== 'nothing' || signal.aborted || !isHangUp(error)) throw error
      }
    }
    const line = await open(signal)
    try {
      await give(line, offer, progress, signal)
    } catch (error) {
      line.connection.close()
      throw error
    }
    keep(line)
  }

  return {
    offer: async (offer) => {
      if (isClosed) throw new MailNotSent('interrupted: the server stops', 'later')
      const progress: Progress = { reached: 'nothing', refusal: undefined }
      const stop = new AbortController()
      const end = () => stop.abort()
      const timer = setTimeout(end, patience.offerMs)
      offer.signal?.addEventListener('abort', end, { once: true })
      if (offer.signal?.aborted) end()
      offering.add(end)
      try {
        await offerOnce(offer, progress, stop.signal)
      } catch (error) {
        throw progress.refusal ?? notSent(error, progress)
      } finally {
        clearTimeout(timer)
        offer.signal?.removeEventListener('abort', end)
        offering.delete(end)
      }
    },
    close: () => {
      isClosed = true
      for (const end of offering) end()
      for (const { connection } of idle.splice(0)) connection.quit()
    },
  }
}

/** From `given` on only the server's answer tells whether it has the mail. */
interface Progress {
  reached: 'nothing' | 'begun' | 'asking' | 'given'
  refusal: unknown
}

/** Read only once the server has agreed to take the data. */
async function* pieces({ mail, beforeLastPiece }: SmtpOffer, progress: Progress): AsyncGenerator<Buffer> {
  const cut = Math.max(0, mail.length - lastPieceBytes)
  progress.reached = 'begun'
  if (cut > 0) yield mail.subarray(0, cut)
  progress.reached = 'asking'
  try {
    await beforeLastPiece()
  } catch (error) {
    progress.refusal = error
    throw error
  }
  progress.reached = 'given'
  yield mail.subarray(cut)
}

const lastPieceBytes = 64

/**
 * Waits until a step calls back, breaks or is aborted.
 * @param mayAbort false while the last piece is being given: the step then ends by itself
 */
function settle(
  connection: SMTPConnection,
  signal: AbortSignal,
  step: (done: (error?: Error | null) => void) => void,
  mayAbort: () => boolean = () => true,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const finish = (error?: Error | null) => {
      connection.off('error', finish)
      connection.off('end', ended)
      signal.removeEventListener('abort', abort)
      if (error) reject(error)
      else resolve()
    }
    // The step's own callback comes right after the end and knows more.
    const ended = () => setImmediate(() => finish(new Error('the connection ended')))
    const abort = () => {
      if (!mayAbort()) return
      finish(Object.assign(new Error('it took too long'), { code: 'ETIMEDOUT' }))
      connection.close()
    }
    connection.on('error', finish)
    connection.on('end', ended)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    step(finish)
  })
}

interface SmtpError {
  readonly responseCode?: number
  readonly code?: string
  readonly command?: string
}

const isHangUp = (error: unknown) => {
  const { responseCode } = error as SmtpError
  return responseCode === undefined || responseCode === 421
}

/** The server's words are left out: they often repeat the address. */
function notSent(error: unknown, { reached }: Progress): MailNotSent {
  const { responseCode, code = 'unknown reason', command } = error as SmtpError
  // nodemailer's own findings before anything is sent.
  if (responseCode === undefined && reached === 'nothing' && (code === 'EENVELOPE' || code === 'EMESSAGE')) {
    return new MailNotSent(`the mail cannot be sent there: ${code}`, 'never')
  }
  if (responseCode === undefined) {
    return reached === 'given'
      ? new MailNotSent(`interrupted before the mail server answered: ${code}`, 'unknown')
      : new MailNotSent(`the mail server did not answer: ${code}`, 'later')
  }
  // Only refusals of the recipient or the mail are final: the rest can be mended.
  const isForGood = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  return new MailNotSent(`the mail server refused it: ${responseCode}`, isForGood ? 'never' : 'later')
}
