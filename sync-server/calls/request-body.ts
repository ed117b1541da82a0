import type { IncomingMessage } from 'node:http'
import { ProblemError } from './problems.ts'

/** A slow line is waited for, a silent one is not. */
const bodySilenceMs = 30_000

/** @throws ProblemError when the body is too large, breaks off, or does not go on for `silenceMs` */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  silenceMs = bodySilenceMs,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const chunks: Buffer[] = []
  let size = 0
  const { socket } = request
  // Node destroys a socket whose time-out no listener hears.
  socket.setTimeout(silenceMs)
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limitBytes) throw tooLarge(limitBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error
    // The sender went away or sent what is no HTTP.
    throw new ProblemError('invalid_input', 'The request broke off.')
  } finally {
    socket.setTimeout(0)
  }
  return Buffer.concat(chunks, size)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const body = await readBody(request, limitBytes)
  if (body.length === 0) return undefined
  try {
    return JSON.parse(utf8.decode(body)) as unknown
  } catch {
    throw new ProblemError('invalid_input', 'The body is not readable JSON.')
  }
}

export function tooLarge(limitBytes: number): ProblemError {
  return new ProblemError('too_large', `The body is larger than ${Math.round(limitBytes / 1024)} kB.`)
}

/** The contract's deepest, a batch of applications with answers, has six levels. */
const deepest = 16
const maxFields = 100
/** A batch has at most this many changes. */
const maxElements = 500
const longestName = 100

/** Comes before any recursion over a value, because 64 kB of text can be nested 30,000 times. */
export function checkBounds(value: unknown): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = []
    for (const outer of level) {
      if (typeof outer !== 'object' || outer === null) continue
      if (depth >= deepest) throw outOfBounds('is nested too deeply')
      for (const inner of Array.isArray(outer) ? elementsOf(outer) : fieldsOf(outer)) next.push(inner)
    }
    level = next
  }
}

function elementsOf(list: readonly unknown[]): readonly unknown[] {
  if (list.length > maxElements) throw outOfBounds(`holds a list of more than ${maxElements}`)
  return list
}

function fieldsOf(outer: object): readonly unknown[] {
  const names = Object.keys(outer)
  if (names.length > maxFields) throw outOfBounds(`holds more than ${maxFields} fields in one place`)
  if (names.some((name) => name.length > longestName)) throw outOfBounds('holds a field with too long a name')
  return Object.values(outer)
}

function outOfBounds(what: string): ProblemError {
  return new ProblemError('invalid_input', `The request ${what}.`)
}
