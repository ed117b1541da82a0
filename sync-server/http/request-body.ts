import type { IncomingMessage } from 'node:http'
import { ProblemError } from './problems.ts'

/** Reads a JSON body of at most `limitBytes`; undefined when there is none. Throws `too_large` or `invalid_input`. */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limitBytes) throw tooLarge(limitBytes)
    chunks.push(chunk)
  }
  if (size === 0) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size))
    return JSON.parse(text) as unknown
  } catch {
    throw new ProblemError('invalid_input', 'The body is not readable JSON.')
  }
}

function tooLarge(limitBytes: number): ProblemError {
  return new ProblemError('too_large', `The body is larger than ${Math.round(limitBytes / 1024)} kB.`)
}
