import { isObject } from '#shared/record/record.ts'
import { mutations } from '../../sync/index.ts'
import { open, seal, type KeyPair } from './seal.ts'
import { aboutOf, codesFor, keyPrintOf, newMessage, writeCodes, type Addressed } from './parts.ts'

/** An organizer's phone needs this to send an application in the volunteer's place. */
export type Carried = Pick<mutations.HandInApplication, 'application' | 'key' | 'deviceId'>

/** It answers null where the application is too long for codes. */
export async function codesOf({ application, key, deviceId }: Carried, sealingKey: string): Promise<string[] | null> {
  const { token: _, ...written } = application
  const content = await deflated(JSON.stringify({ application: written, key, deviceId }))
  const count = codesFor(content.length + addedBytes)
  if (count === null) return null
  const addressed = {
    eventId: application.eventId,
    keyPrint: await keyPrintOf(sealingKey),
    message: newMessage(),
    count,
  }
  return writeCodes(addressed, await seal(sealingKey, content, aboutOf(addressed)))
}

/** Sealing adds the point and the tag. */
const addedBytes = 65 + 16

/** Returns undefined for what was not sealed for this event, or was changed since. */
export async function openApplication(
  keys: KeyPair,
  addressed: Addressed,
  sealed: Uint8Array<ArrayBuffer>,
): Promise<Carried | undefined> {
  try {
    const found: unknown = JSON.parse(await inflated(await open(keys, sealed, aboutOf(addressed))))
    if (!isObject(found)) return undefined
    const { application, key, deviceId } = found
    if (typeof key !== 'string' || !/^[\da-f-]{36}$/i.test(key)) return undefined
    if (typeof deviceId !== 'string' || !/^[\w-]{1,64}$/.test(deviceId)) return undefined
    if (!mutations.applyAsBeacon.accepts(application)) return undefined
    const carried = { application: application as Carried['application'], key, deviceId }
    return carried.application.eventId === addressed.eventId ? carried : undefined
  } catch {
    return undefined
  }
}

/** Of an application in JSON: the server takes no longer ones. */
const longestText = 64 * 1024

async function deflated(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const deflating = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(deflating).arrayBuffer())
}

/** A few bytes may unfold to gigabytes: it stops at the longest application. */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return await new Blob(pieces).text()
    pieces.push(value)
    length += value.length
    if (length > longestText) {
      await reader.cancel()
      throw new Error('The application is too long')
    }
  }
}
