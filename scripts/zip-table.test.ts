import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { distanceMiles, readZipTable } from '#shared/places/zip-table.ts'
import { mergedZipCentres, writeZipTable } from './make-zip-table.ts'

const bytes = readFileSync(new URL('../shared/places/zip-codes.bin', import.meta.url))
const table = readZipTable(bytes)
const centres = mergedZipCentres()

describe('the ZIP code table', () => {
  it('is what the two packages say today, in a file of less than 95 kB on its way to a phone', () => {
    expect(Buffer.compare(Buffer.from(writeZipTable(centres)), bytes)).toBe(0)
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(95_000)
  })

  it('knows every code of both, each within half a mile of its centre', () => {
    expect(table.count).toBe(centres.size)
    expect(centres.size).toBeGreaterThan(41_000)
    let worst = 0
    for (const [zipCode, centre] of centres) {
      const found = table.centreOf(zipCode)
      worst = Math.max(worst, found ? distanceMiles(centre, found) : Infinity)
    }
    expect(worst).toBeLessThan(0.5)
  })

  it.each([...'00000 99999 601 2108 0210 021080 0x10 1e4 constructor 09009 10200'.split(' '), ' 2108', ''])(
    'knows no %j',
    (text) => {
      expect(table.centreOf(text)).toBeUndefined()
    },
  )

  it("is not read from a portal's page, from half of the file, or with something after it", () => {
    expect(() => readZipTable(Buffer.from('<!doctype html><title>Sign in to the wifi</title>'))).toThrow('not the ZIP')
    expect(() => readZipTable(bytes.subarray(0, 2000))).toThrow('not the ZIP')
    expect(() => readZipTable(bytes.subarray(0, bytes.length - 10))).toThrow('not whole')
    expect(() => readZipTable(Buffer.concat([bytes, Buffer.from([0])]))).toThrow('not whole')
  })
})
