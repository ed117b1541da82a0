import { fromBase45, toBase45 } from './base45.ts'
import { fromBase64Url } from './seal.ts'

/**
 * A code says `BEACONRY1:`, and then in base 45 the event (6 bytes), the beginning of its key's hash (4), a number that
 * the codes of one message share (4), which of them it is (1), how many there are (1), and its part of the message.
 */
export interface Part {
  readonly eventId: number
  readonly keyPrint: string
  readonly message: string
  /** The first one is 0. */
  readonly index: number
  readonly count: number
  readonly content: Uint8Array<ArrayBuffer>
}

export type Addressed = Pick<Part, 'eventId' | 'keyPrint' | 'message' | 'count'>

/** A code that is no part of an application is one of these. */
export type NotAPart = 'other' | 'older' | 'newer' | 'damaged'

const version = 1
const headerBytes = 16
/** A code of 89 squares a side: a phone's camera still reads it from another one's screen. */
const maxBytes = 660
const maxCodes = 16
const longestCode = 1100

/** The beginning of a hash tells the events of two sites with the same number apart. */
export async function keyPrintOf(sealingKey: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', fromBase64Url(sealingKey)))
  return toHex(hash.slice(0, 4))
}

export const newMessage = () => toHex(crypto.getRandomValues(new Uint8Array(4)))

/** Returns how many codes hold this many bytes, and null where no one would scan them all. */
export function codesFor(bytes: number): number | null {
  const count = Math.ceil(bytes / maxBytes)
  return count <= maxCodes ? count : null
}

/** What every code of a message says is sealed with it. */
export const aboutOf = ({ eventId, keyPrint, message, count }: Addressed) =>
  new TextEncoder().encode(`${version} ${eventId} ${keyPrint} ${message} ${count}`)

export function writeCodes(addressed: Addressed, sealed: Uint8Array<ArrayBuffer>): string[] {
  const { count } = addressed
  const each = Math.ceil(sealed.length / count)
  return Array.from({ length: count }, (_, index) =>
    writeCode({ ...addressed, index, content: sealed.slice(index * each, (index + 1) * each) }),
  )
}

function writeCode({ eventId, keyPrint, message, index, count, content }: Part): string {
  const header = `${eventId.toString(16).padStart(12, '0')}${keyPrint}${message}${toHex(Uint8Array.of(index, count))}`
  return `BEACONRY${version}:${toBase45(Uint8Array.from([...fromHex(header), ...content]))}`
}

export function readCode(text: string): Part | NotAPart {
  const [, written, body] = /^BEACONRY(\d{1,6}):(.*)$/s.exec(text) ?? []
  if (written === undefined || body === undefined) return 'other'
  if (Number(written) !== version) return Number(written) < version ? 'older' : 'newer'
  const bytes = text.length <= longestCode ? fromBase45(body) : undefined
  if (!bytes || bytes.length <= headerBytes) return 'damaged'
  const [index = 0, count = 0] = bytes.slice(14, headerBytes)
  if (index >= count || count > maxCodes) return 'damaged'
  return {
    eventId: Number.parseInt(toHex(bytes.slice(0, 6)), 16),
    keyPrint: toHex(bytes.slice(6, 10)),
    message: toHex(bytes.slice(10, 14)),
    index,
    count,
    content: bytes.slice(headerBytes),
  }
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (text: string) => (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
