import type { Addressed, Part } from './parts.ts'

/** Keeps the codes read so far, by message: a person who shows them again makes another message. The newest is last. */
export type Collected = ReadonlyMap<string, readonly (Part | undefined)[]>

export const nothingCollected: Collected = new Map()

/** Fewer phones than this are held up to one camera. */
const maxMessages = 4

const messageOf = ({ eventId, keyPrint, message, count }: Addressed) => `${eventId} ${keyPrint} ${message} ${count}`

export function withPart(collected: Collected, part: Part): Collected {
  const name = messageOf(part)
  const known = collected.get(name) ?? Array.from({ length: part.count }, () => undefined)
  const others = [...collected].filter(([other]) => other !== name).slice(1 - maxMessages)
  // The first reading stays: another one under the same number is found out when the message is opened.
  return new Map([...others, [name, known.with(part.index, known[part.index] ?? part)]])
}

export function withoutMessage(collected: Collected, addressed: Addressed): Collected {
  return new Map([...collected].filter(([name]) => name !== messageOf(addressed)))
}

/** It counts the codes of the message that was read last. */
export function progressOf(collected: Collected): { readonly read: number; readonly count: number } | null {
  const parts = [...collected.values()].at(-1)
  return parts ? { read: parts.filter(Boolean).length, count: parts.length } : null
}

/** Returns the part's message once all of it was read. */
export function wholeOf(collected: Collected, part: Part): Uint8Array<ArrayBuffer> | undefined {
  const parts = collected.get(messageOf(part)) ?? []
  const contents = parts.flatMap((one) => (one ? [one.content] : []))
  return contents.length === parts.length ? Uint8Array.from(contents.flatMap((one) => [...one])) : undefined
}
