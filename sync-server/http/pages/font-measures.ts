import { readFileSync } from 'node:fs'

export interface FontMeasures {
  covers(character: string): boolean
  /** Widths are in ems. */
  widthOf(character: string): number | undefined
}

export function readFontMeasures(file: string): FontMeasures {
  const bytes = readFileSync(file)
  const tables = new Map<string, number>()
  for (let index = 0; index < bytes.readUInt16BE(4); index += 1) {
    const entry = 12 + index * 16
    tables.set(bytes.toString('latin1', entry, entry + 4), bytes.readUInt32BE(entry + 8))
  }
  const table = (name: string) => {
    const start = tables.get(name)
    if (start === undefined) throw new Error(`${file} has no table ${name}`)
    return start
  }
  const unitsPerEm = bytes.readUInt16BE(table('head') + 18)
  const advances = bytes.readUInt16BE(table('hhea') + 34)
  const hmtx = table('hmtx')
  const glyphs = readGlyphs(bytes, table('cmap'))
  return {
    covers: (character) => glyphs.has(character.codePointAt(0) ?? 0),
    widthOf: (character) => {
      const glyph = glyphs.get(character.codePointAt(0) ?? 0)
      if (glyph === undefined) return undefined
      return bytes.readUInt16BE(hmtx + Math.min(glyph, advances - 1) * 4) / unitsPerEm
    },
  }
}

/** Reads subtables of format 4. */
function readGlyphs(bytes: Buffer, cmap: number): Map<number, number> {
  const glyphs = new Map<number, number>()
  for (let index = 0; index < bytes.readUInt16BE(cmap + 2); index += 1) {
    const start = cmap + bytes.readUInt32BE(cmap + 8 + index * 8)
    if (bytes.readUInt16BE(start) !== 4) continue
    const size = bytes.readUInt16BE(start + 6)
    for (let segment = 0; segment < size; segment += 2) {
      const ends = start + 14 + segment
      const starts = ends + size + 2
      const offsetAt = starts + size * 2
      const offset = bytes.readUInt16BE(offsetAt)
      const delta = bytes.readUInt16BE(starts + size)
      const first = bytes.readUInt16BE(starts)
      for (let code = first; code <= bytes.readUInt16BE(ends) && code < 0xffff; code += 1) {
        const found = offset === 0 ? code : bytes.readUInt16BE(offsetAt + offset + (code - first) * 2)
        const glyph = found === 0 ? 0 : (found + delta) & 0xffff
        if (glyph !== 0) glyphs.set(code, glyph)
      }
    }
  }
  return glyphs
}
