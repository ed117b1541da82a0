import { describe, expect, it } from 'vitest'
import { newKeyPair } from '../../../sync-server/db/key-pair.ts'
import { decodeQR } from 'qr/decode.js'
import { qrSquares } from '../../ui/qr-code.tsx'
import { beaFields } from '../../sync/testing/people.ts'
import { fromBase45, toBase45 } from './base45.ts'
import { nothingCollected, progressOf, wholeOf, withoutMessage, withPart } from './collect-parts.ts'
import { aboutOf, keyPrintOf, newMessage, readCode, writeCodes, type Part } from './parts.ts'
import { seal } from './seal.ts'
import { codesOf, openApplication, type Carried } from './sealed-application.ts'

const keys = newKeyPair()
const eventId = 410_100_000_001
const bea: Carried = {
  application: {
    id: 410_100_000_009,
    eventId,
    eventName: 'Founders Mixer',
    fields: beaFields,
    filledInMs: 61_000,
    finishedAt: '2026-11-28T20:00:00.000Z',
  },
  key: '3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c01',
  deviceId: 'b1c7f3e0-9f4e-4b53-9a40-0d3f5f0a1d02',
}
/** No compression shortens these words much, so they need several codes. */
const wordsOf = (step: number) =>
  Array.from({ length: 2500 }, (_, at) => String.fromCharCode(0x4e00 + ((at * step) % 20_000))).join('')
const long = wordsOf(7919)
const wordy: Carried = {
  ...bea,
  application: { ...bea.application, fields: { ...beaFields, bio: long } },
}

const partsOf = async (carried: Carried, sealingKey = keys.sealingKey) =>
  ((await codesOf(carried, sealingKey)) ?? []).map((code) => readCode(code) as Part)

/** It opens what the organizer's phone has read, one code after another. */
async function opened(parts: readonly Part[], with_ = keys) {
  const collected = parts.reduce(withPart, nothingCollected)
  const whole = wholeOf(collected, parts.at(-1)!)
  return whole && (await openApplication(with_, parts.at(-1)!, whole))
}

/** It draws a code as a camera sees it, and reads that. */
function seen(code: string): string {
  const squares = qrSquares(code, 'low')
  const scale = 3
  const size = squares.length * scale
  const data = Uint8Array.from({ length: size * size * 4 }, (_, at) => {
    const pixel = at >> 2
    const isDark = squares[Math.floor(pixel / size / scale)]?.[Math.floor((pixel % size) / scale)]
    return at % 4 === 3 || !isDark ? 255 : 0
  })
  return decodeQR({ width: size, height: size, data })
}

describe('an application that travels by codes', () => {
  it('is one code when it has a common length, and arrives as it was written', async () => {
    const codes = (await codesOf(bea, keys.sealingKey))!
    expect(codes).toHaveLength(1)
    expect(seen(codes[0]!)).toBe(codes[0])
    expect(await opened([readCode(seen(codes[0]!)) as Part])).toEqual(bea)
  })

  it('is several codes when it is long, which are read in any order and more than once', async () => {
    const parts = await partsOf(wordy)
    expect(parts.length).toBeGreaterThan(5)
    expect(await opened([...parts.toReversed(), parts[2]!])).toEqual(wordy)
  })

  it('never carries the token of an own page', async () => {
    const withToken = { ...bea, application: { ...bea.application, token: 'opens-the-own-page' } }
    expect(await opened(await partsOf(withToken))).toEqual(bea)
  })

  it('is too long for codes that anybody would scan', async () => {
    const endless = Array.from({ length: 4 }, (_, at) => ({
      question: `Question ${at}`,
      answer: wordsOf(7000 + at * 13),
    }))
    const fields = { ...beaFields, customAnswers: endless }
    expect(await codesOf({ ...bea, application: { ...bea.application, fields } }, keys.sealingKey)).toBeNull()
  })

  it('tells how many of its codes were read', async () => {
    const [first, second] = await partsOf(wordy)
    const { count } = first!
    expect(progressOf(nothingCollected)).toBeNull()
    const twice = [first!, second!, second!].reduce(withPart, nothingCollected)
    expect(progressOf(twice)).toEqual({ read: 2, count })
    expect(wholeOf(twice, second!)).toBeUndefined()
    expect(progressOf(withoutMessage(twice, first!))).toBeNull()
  })

  it('keeps the codes of several phones apart, of the last four', async () => {
    const phones = await Promise.all(Array.from({ length: 6 }, () => partsOf(wordy)))
    const mixed = phones.map(([first]) => first!).reduce(withPart, nothingCollected)
    expect(progressOf(mixed)).toEqual({ read: 1, count: phones[0]!.length })
    const last = phones[5]!.slice(1).reduce(withPart, mixed)
    expect(await openApplication(keys, phones[5]![0]!, wholeOf(last, phones[5]![0]!)!)).toEqual(wordy)
    expect(progressOf(withPart(mixed, phones[0]![1]!)), 'the first phone begins again').toMatchObject({ read: 1 })
  })
})

describe('a code that was not made for this', () => {
  it('is refused after a changed letter, a cut or another header', async () => {
    const [part] = (await partsOf(bea)) as [Part]
    const changed = Uint8Array.from(part.content, (byte, at) => (at === 100 ? byte ^ 1 : byte))
    expect(await opened([{ ...part, content: changed }])).toBeUndefined()
    expect(await opened([{ ...part, content: part.content.slice(0, -1) }])).toBeUndefined()
    expect(await opened([{ ...part, content: part.content.slice(0, 30) }])).toBeUndefined()
    expect(await opened([{ ...part, message: '00000000' }])).toBeUndefined()
    expect(await opened([{ ...part, eventId: eventId + 1 }])).toBeUndefined()
  })

  it('is refused when the codes of two messages are put together under one number', async () => {
    const [one, other] = await Promise.all([partsOf(wordy), partsOf(wordy)])
    const mixed = one.map((part, at) => (at === 1 ? { ...other[at]!, message: part.message } : part))
    expect(await opened(mixed)).toBeUndefined()
  })

  it('is worthless without the event’s own opening key', async () => {
    const stranger = newKeyPair()
    const [part] = (await partsOf(bea)) as [Part]
    expect(part.keyPrint).toBe(await keyPrintOf(keys.sealingKey))
    expect(part.keyPrint).not.toBe(await keyPrintOf(stranger.sealingKey))
    expect(await opened([part], stranger)).toBeUndefined()
    expect(await opened([part], { ...stranger, sealingKey: keys.sealingKey })).toBeUndefined()
  })

  it('is refused when it is sealed rightly around anything but an application for this event', async () => {
    const sealedAround = async (text: string, unfolds = text) => {
      const deflated = new Blob([unfolds]).stream().pipeThrough(new CompressionStream('deflate-raw'))
      const content = new Uint8Array(await new Response(deflated).arrayBuffer())
      const addressed = { eventId, keyPrint: await keyPrintOf(keys.sealingKey), message: newMessage(), count: 1 }
      const [code] = writeCodes(addressed, await seal(keys.sealingKey, content, aboutOf(addressed)))
      return await opened([readCode(code!) as Part])
    }
    expect(await sealedAround(JSON.stringify(bea))).toEqual(bea)
    const other = { ...bea, application: { ...bea.application, eventId: 7 } }
    const forged = [null, [], {}, { ...bea, key: 'no uuid' }, { ...bea, deviceId: 'a b' }, other]
    for (const content of [...forged, { ...bea, application: { ...bea.application, fields: {} } }])
      expect(await sealedAround(JSON.stringify(content))).toBeUndefined()
    expect(await sealedAround('{')).toBeUndefined()
    const bomb = JSON.stringify({ ...bea, padding: ' '.repeat(70_000) })
    expect(await sealedAround(bomb), 'it unfolds to more than any application').toBeUndefined()
  })

  it('is told apart: another code, an older or newer app, a damaged one', async () => {
    const [code] = (await codesOf(bea, keys.sealingKey)) as [string]
    const kinds = {
      'https://beaconry.example/events/1?from=qr': 'other',
      '': 'other',
      [code.replace('BEACONRY1', 'BEACONRY0')]: 'older',
      [code.replace('BEACONRY1', 'BEACONRY2')]: 'newer',
      'BEACONRY1:': 'damaged',
      [code.slice(0, 25)]: 'damaged',
      [`${code.slice(0, -3)}abc`]: 'damaged',
      [`${code}${'0'.repeat(1100)}`]: 'damaged',
    }
    for (const [text, kind] of Object.entries(kinds))
      expect([text.slice(0, 30), readCode(text)]).toEqual([text.slice(0, 30), kind])
  })

  it('is damaged when it is no code of as many as it says', () => {
    const part = { eventId, keyPrint: '01020304', message: '05060708', content: Uint8Array.of(1) }
    const [none] = writeCodes({ ...part, count: 1 }, Uint8Array.of(1))
    const bytes = fromBase45(none!.slice('BEACONRY1:'.length))!
    const written = (index: number, count: number) =>
      readCode(`BEACONRY1:${toBase45(bytes.with(14, index).with(15, count))}`)
    expect(written(0, 1)).toMatchObject({ index: 0, count: 1 })
    expect([written(1, 1), written(0, 0), written(0, 17)]).toEqual(['damaged', 'damaged', 'damaged'])
  })
})

it('bytes of any number survive base 45, and nothing else is read as bytes', () => {
  for (const length of [0, 1, 2, 3, 255]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 199 + 255) & 255)
    expect(fromBase45(toBase45(bytes))).toEqual(bytes)
  }
  // RFC 9285 gives this example.
  expect(toBase45(new TextEncoder().encode('Hello!!'))).toBe('%69 VD92EX0')
  expect(['A', 'GGW', ':::', '::', 'abc', 'GGWA'].map(fromBase45)).toEqual(Array.from({ length: 6 }, () => undefined))
})
