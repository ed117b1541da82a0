import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailAddress, MailMessage } from './mail-content.ts'
import { MailNotSent, type HandOver, type MailTransport } from './mail-transport.ts'

interface SmtpPatience {
  /** The server has this long to connect and to greet. */
  readonly connectMs: number
  /** Everything from the connection to the last piece of a mail has this long. */
  readonly offerMs: number
  /** The answer to a mail has this long. RFC 5321 asks for ten minutes; many servers check for spam first. */
  readonly answerMs: number
}

const usualPatience: SmtpPatience = { connectMs: 10_000, offerMs: 60_000, answerMs: 300_000 }

const maxIdle = 4
const idleMs = 30_000
const maxMailsEach = 100

interface Offer {
  /**
   * An international domain is written in the letters of the network, unless letters before the @ need SMTPUTF8 anyway.
   */
  readonly to: string
  readonly text: Buffer
  readonly handOver: HandOver | undefined
}

interface Line {
  readonly connection: SMTPConnection
  readonly takesUnicode: boolean
  mails: number
}

/**
 * Connections are kept, so that a hundred decisions are not a hundred sign-ins. nodemailer's own pool repeats mails and
 * has one time limit for all; here each mail is offered once, and the moment from which the server may have it is
 * known.
 * @param url holds name and password: never to be logged
 */
export function createSmtpTransport(url: string, from: MailAddress, patience = usualPatience): MailTransport {
  const { auth, ...server } = smtpOptionsOf(url)
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
    let takesUnicode = false
    try {
      await settle(connection, signal, (done) => connection.connect(done))
      // The last answer is the one to EHLO.
      takesUnicode = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '')
      if (auth && connection.allowsAuth) await settle(connection, signal, (done) => connection.login(auth, done))
    } catch (error) {
      connection.close()
      throw error
    }
    const line = { connection, takesUnicode, mails: 0 }
    connection.once('end', () => drop(line))
    return line
  }

  function keep(line: Line): void {
    if (isClosed || line.mails >= maxMailsEach || idle.length >= maxIdle) return line.connection.quit()
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

  async function give(line: Line, offer: Offer, progress: Progress, signal: AbortSignal): Promise<void> {
    if (!line.takesUnicode && !isPlain(offer.to)) throw new MailNotSent(lettersNotTaken, 'never')
    line.mails += 1
    const message = Readable.from(pieces(offer, progress), { objectMode: false })
    const envelope = { from: from.address, to: [offer.to] }
    const mayAbort = () => progress.reached === 'nothing' || progress.reached === 'begun'
    await settle(line.connection, signal, (done) => line.connection.send(envelope, message, done), mayAbort)
  }

  async function offerOnce(offer: Offer, progress: Progress, signal: AbortSignal): Promise<void> {
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
    isSetUp: true,
    send: async (mail, handOver) => {
      const offer: Offer = { ...(await written(mail, from, handOver)), handOver }
      if (isClosed) throw new MailNotSent('interrupted: the server stops', 'later')
      const progress: Progress = { reached: 'nothing', refusal: undefined }
      const stop = new AbortController()
      const end = () => stop.abort()
      const timer = setTimeout(end, patience.offerMs)
      handOver?.signal.addEventListener('abort', end, { once: true })
      if (handOver?.signal.aborted) end()
      offering.add(end)
      try {
        await offerOnce(offer, progress, stop.signal)
      } catch (error) {
        throw progress.refusal ?? notSent(error, progress)
      } finally {
        clearTimeout(timer)
        handOver?.signal.removeEventListener('abort', end)
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

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i

/**
 * Neither password nor mail leaves this machine in clear: where smtp:// leads elsewhere the server has to offer
 * STARTTLS, unless the address says `?requireTLS=false`.
 */
export function smtpOptionsOf(url: string): ReturnType<typeof parseConnectionUrl> {
  const options = parseConnectionUrl(url)
  const requireTLS = options.requireTLS ?? !loopback.test(options.host ?? '')
  return requireTLS ? { ...options, requireTLS, ignoreTLS: false } : { ...options, requireTLS }
}

/** From `given` on only the server's answer tells whether it has the mail. */
interface Progress {
  reached: 'nothing' | 'begun' | 'asking' | 'given'
  refusal: unknown
}

/** Read only once the server has agreed to take the data. */
async function* pieces({ text, handOver }: Offer, progress: Progress): AsyncGenerator<Buffer> {
  const cut = Math.max(0, text.length - lastPieceBytes)
  progress.reached = 'begun'
  if (cut > 0) yield text.subarray(0, cut)
  progress.reached = 'asking'
  try {
    await handOver?.beforeLastPiece()
  } catch (error) {
    progress.refusal = error
    throw error
  }
  progress.reached = 'given'
  yield text.subarray(cut)
}

const lastPieceBytes = 64

/**
 * Waits until a step calls back, breaks or is aborted.
 * @param mayAbort false while the last piece is being given: the step then ends in its own time
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

const isPlain = (address: string) => /^[\u0020-\u007e]*$/.test(address)
const lettersNotTaken = 'the mail server takes no address with such letters before the @: it does not offer SMTPUTF8'

/** The server's words are left out: they often repeat the address. */
function notSent(error: unknown, { reached }: Progress): MailNotSent {
  if (error instanceof MailNotSent) return error
  const { responseCode, code = 'unknown reason', command } = error as SmtpError
  // nodemailer itself has found these before anything is sent.
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

async function written(
  message: MailMessage,
  from: MailAddress,
  handOver: HandOver | undefined,
): Promise<Pick<Offer, 'to' | 'text'>> {
  const { to, replyTo, subject, text, html, attachments, headers } = message
  const mail = new MailComposer({
    from: { ...from },
    to: { ...to },
    ...(replyTo && { replyTo: { ...replyTo } }),
    ...(handOver && { messageId: `<${handOver.id}@${from.address.split('@')[1]}>` }),
    subject,
    text,
    html,
    attachments: attachments.map((attachment) => ({ ...attachment, contentDisposition: 'attachment' })),
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
    // Nothing in a mail is ever fetched from disk or network.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const whole = mail.compile()
  const [recipient = to.address] = whole.getEnvelope().to
  return { to: recipient, text: await whole.build() }
}
