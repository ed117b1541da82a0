import type { IncomingMessage } from 'node:http'
import { ProblemError } from './problems.ts'

/** Reads a body of at most `limitBytes` as it came. Throws `too_large`, or `invalid_input` when it breaks off. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limitBytes) throw tooLarge(limitBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error
    // The sender went away or sent what is no HTTP: no failure of ours.
    throw new ProblemError('invalid_input', 'The request broke off.')
  }
  return Buffer.concat(chunks, size)
}

/** Reads a JSON body of at most `limitBytes`; undefined when there is none. Throws `too_large` or `invalid_input`. */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const body = await readBody(request, limitBytes)
  if (body.length === 0) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return JSON.parse(text) as unknown
  } catch {
    throw new ProblemError('invalid_input', 'The body is not readable JSON.')
  }
}

function tooLarge(limitBytes: number): ProblemError {
  return new ProblemError('too_large', `The body is larger than ${Math.round(limitBytes / 1024)} kB.`)
}
