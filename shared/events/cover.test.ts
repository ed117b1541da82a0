import { describe, expect, it } from 'vitest'
import { contrast } from '../../pwa/ui/testing/contrast.ts'
import { coverPalettes } from './cover-palettes.ts'
import { coverColors, coverOf } from './cover.ts'

const numbers = Array.from({ length: 200 }, (_, index) => 100_000_000_000 + index * 4_321_234_567)

describe('the cover of an event', () => {
  it('is the same scene whenever the same event is drawn', () => {
    for (const id of numbers) expect(coverOf(id, 'Tide')).toEqual(coverOf(id, 'Tide'))
    expect(coverOf(410_100_000_001, null)).toMatchObject({ palette: 'Tide', isMirrored: false })
  })

  it('changes its colours with the palette, and nothing else', () => {
    const covers = coverPalettes.map((palette) => coverOf(7, palette))
    expect(covers.map(({ palette }) => palette)).toEqual(coverPalettes)
    expect(new Set(covers.map(({ colors }) => JSON.stringify(colors))).size).toBe(coverPalettes.length)
    for (const { shapes } of covers) expect(shapes).toEqual(covers[0]?.shapes)
  })

  it('falls back to the palette of its number', () => {
    for (const palette of [null, undefined, '', 'Neon', 'constructor'])
      expect(coverOf(7, palette)).toEqual(coverOf(7, null))
    const found = new Set(numbers.map((id) => coverOf(id, null).palette))
    expect([...found].toSorted()).toEqual(coverPalettes.toSorted())
  })

  it('differs from event to event', () => {
    const scenes = new Set(numbers.map((id) => JSON.stringify(coverOf(id, 'Moss').shapes)))
    expect(scenes.size).toBe(numbers.length)
  })

  it('is one of four scenes, whatever its palette is', () => {
    const scenes = numbers.map((id) =>
      coverOf(id, 'Moss')
        .shapes.map(({ ink }) => ink)
        .join(),
    )
    expect(new Set(scenes).size).toBe(4)
  })

  it('draws plain paths of whole numbers, inside some kilobytes', () => {
    for (const id of numbers) {
      const { shapes } = coverOf(id, null)
      for (const { d } of shapes) expect(d).toMatch(/^M[-MLQHVaqhvlz0-9. ]+z$/)
      expect(JSON.stringify(shapes).length).toBeLessThan(8_000)
    }
  })

  it.each(coverPalettes)('lets the lamps of %s stand out from what is dark and what is far', (palette) => {
    const { sky, far, near, lamp } = coverColors[palette]
    for (const ground of [sky, far, near]) expect(contrast(lamp, ground)).toBeGreaterThan(3)
    expect(contrast(near, far)).toBeGreaterThan(1.5)
  })
})
