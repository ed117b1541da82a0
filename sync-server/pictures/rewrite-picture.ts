import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AllowanceName } from '../calls/limits.ts'
import { ProblemError, refusedField } from '../calls/problems.ts'
import type { PictureResult, PictureShape, PictureTask, RewrittenPicture } from './picture-child.ts'

export const coverShape: PictureShape = { width: 1200, height: 600, maxBytes: 80_000 }
export const faceShape: PictureShape = { width: 320, height: 320, maxBytes: 25_000 }
/** Is shown next to a link; nothing limits the bytes of what is only drawn on. */
const previewShape: PictureShape = { width: 1200, height: 630, maxBytes: Infinity }

interface PictureCall {
  /** The text is the base64 form of a JPEG, PNG or WebP file. */
  readonly body: { readonly picture: string }
  readonly address: string
  readonly spend: (allowance: AllowanceName, subject: string) => Promise<unknown>
}

const maxInputBytes = 1_000_000

export type PictureQueue = ReturnType<typeof createPictureQueue>

/**
 * Decodes one picture at a time, in a process of its own that starts with the first picture and ends when it was idle.
 * A picture that takes too long or too much memory costs that process, and the next picture starts another. A process
 * that still holds more than `maxRestingBytes` after a picture is replaced.
 */
export function createPictureQueue({
  maxWaiting = 4,
  timeLimitMs = 10_000,
  idleMs = 30_000,
  maxRestingBytes = 40_000_000,
} = {}) {
  let places = 1 + maxWaiting
  let turn: Promise<unknown> = Promise.resolve()
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  function endChild(): void {
    child?.kill('SIGKILL')
    child = undefined
  }

  function getChild(): ChildProcess {
    if (child) return child
    const started = startChild()
    const forget = () => {
      if (child === started) child = undefined
    }
    started.on('exit', forget).on('error', forget)
    child = started
    return started
  }

  async function decode(task: PictureTask): Promise<RewrittenPicture> {
    clearTimeout(idle)
    const result = await resultOf(getChild(), task, timeLimitMs)
    if (!result || result.heldBytes > maxRestingBytes) endChild()
    else idle = setTimeout(endChild, idleMs).unref()
    const outcome =
      result?.outcome ?? 'This picture takes too long or too much memory to read. Please use a smaller one.'
    if (typeof outcome === 'string') throw refused(outcome)
    return outcome
  }

  async function inTurn(task: PictureTask): Promise<RewrittenPicture> {
    const decoded = turn.then(() => decode(task))
    turn = decoded.catch(() => undefined)
    return await decoded
  }

  return {
    /** It is undefined while there is none. */
    childPid: (): number | undefined => child?.pid,

    /**
     * Decodes the picture and encodes it again, upright, so that nothing of the upload but its pixels is ever served.
     * Its stated type counts for nothing. Points are spent whether or not it can be read. Throws `invalid_input`,
     * `too_many_requests`, and `unavailable` while too many others wait, which costs nothing.
     * @param subject whose pictures are counted together, next to those of the address
     */
    async rewrite({ body, address, spend }: PictureCall, subject: string, shape: PictureShape) {
      if (places === 0) {
        throw new ProblemError('unavailable', 'Many people are sending pictures. Please try again in a moment.', {
          retryAfterSeconds: 5,
        })
      }
      places -= 1
      try {
        await spend('picture', subject)
        await spend('picture-address', address)
        const bytes = Buffer.from(body.picture, 'base64')
        if (bytes.length > maxInputBytes) throw refused('This picture is larger than 1 MB.')
        if (!isKnownKind(bytes)) throw refused('Please choose a picture in JPEG, PNG or WebP format.')
        return await inTurn({ bytes, shape })
      } finally {
        places += 1
      }
    },

    /**
     * Converts a picture that this server has written, cut to the size of a link's picture. The code that draws those
     * limits how many.
     */
    async convert(bytes: Buffer, as: 'jpeg' | 'png'): Promise<Buffer> {
      return (await inTurn({ bytes, shape: previewShape, as })).body
    },
  }
}

/** This process has one queue. */
const queue = createPictureQueue()
export const rewritePicture = queue.rewrite
export const convertPicture = queue.convert

const isBundled = import.meta.url.endsWith('.mjs')
const program = fileURLToPath(new URL(`picture-child.${isBundled ? 'mjs' : 'ts'}`, import.meta.url))
/** The server's secrets are not among them. */
const inherited = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'SystemRoot']

function startChild(): ChildProcess {
  const env = Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
  const started = fork(program, {
    cwd: path.dirname(program),
    // Sources need the loader that the server itself runs with.
    execArgv: isBundled ? [] : ['--import', 'tsx'],
    // With an arena for each thread, glibc keeps a fifth more of what pictures needed.
    env: { ...env, MALLOC_ARENA_MAX: '2' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  started.unref()
  started.channel?.unref()
  return started
}

/** Undefined where the picture was too much for the child; rejects when the child cannot work at all. */
async function resultOf(
  child: ChildProcess,
  task: PictureTask,
  timeLimitMs: number,
): Promise<PictureResult | undefined> {
  const over = new AbortController()
  const result = new Promise<PictureResult | undefined>((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), timeLimitMs)
    const exited = (code: number | null) => {
      if (code === null) resolve(undefined)
      else reject(new Error(`The process that decodes pictures ended with ${code}`))
    }
    child.once('message', resolve).once('error', reject).once('exit', exited)
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      child.off('message', resolve).off('error', reject).off('exit', exited)
    })
    child.send(task, (error) => error && reject(error))
  })
  return await result.finally(() => over.abort())
}

const startsAs = (bytes: Buffer, text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text

function isKnownKind(bytes: Buffer): boolean {
  if (startsAs(bytes, 'ÿØÿ') || startsAs(bytes, '\x89PNG\r\n\x1a\n')) return true
  return startsAs(bytes, 'RIFF') && startsAs(bytes, 'WEBP', 8)
}

const refused = (message: string) => refusedField('invalid_input', 'picture', message)
