import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../styles.css', import.meta.url), 'utf8')

type Linear = readonly [number, number, number]

/** oklch (lightness 0..1, chroma, hue in degrees) to linear sRGB, clipped to the gamut; matrices of CSS Color 4. */
function linearFromOklch(lightness: number, chroma: number, hueDegrees: number): Linear {
  const hue = (hueDegrees * Math.PI) / 180
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

const luminance = ([red, green, blue]: Linear) => 0.2126 * red + 0.7152 * green + 0.0722 * blue

function contrast(one: Linear, other: Linear): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The opaque colours of one theme block in styles.css, by custom property name without its dashes and prefix. */
function coloursOf(theme: string): Map<string, Linear> {
  const block = css
    .split(/@plugin ['"]daisyui\/theme['"]/)
    .find((part) => new RegExp(`name: ['"]${theme}['"];`).test(part))
  if (!block) throw new Error(`styles.css has no theme ${theme}`)
  const colours = new Map<string, Linear>()
  const declaration = /--(?:color|ui)-([\w-]+): oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\);/g
  for (const [, name, lightness, chroma, hue] of block.slice(0, block.indexOf('}')).matchAll(declaration)) {
    colours.set(name as string, linearFromOklch(Number(lightness) / 100, Number(chroma), Number(hue)))
  }
  return colours
}

const surfaces = ['base-100', 'base-200']
const onSurfaces = ['base-content', 'muted', 'signal', 'success', 'info', 'error', 'warning', 'accent', 'secondary']
const textPairs: [text: string, ground: string][] = [
  ...onSurfaces.flatMap((text) => surfaces.map((ground): [string, string] => [text, ground])),
  ...['primary', 'secondary', 'accent', 'neutral', 'info', 'success', 'warning', 'error'].map(
    (fill): [string, string] => [`${fill}-content`, fill],
  ),
  ...['signal', 'success', 'info', 'error'].flatMap((tone): [string, string][] => [
    [tone, `${tone}-soft`],
    ['base-content', `${tone}-soft`],
    ['muted', `${tone}-soft`],
  ]),
  ['base-content', 'quiet-soft'],
  ['muted', 'quiet-soft'],
  ['hall-content', 'hall'],
  ['hall-content', 'hall-raised'],
  ['hall-muted', 'hall'],
  ['hall-muted', 'hall-raised'],
  ['hall-signal', 'hall'],
  ['hall-signal', 'hall-raised'],
]
const shapePairs: [shape: string, ground: string][] = [
  ['edge', 'base-100'],
  ['edge', 'base-200'],
  ['signal', 'base-100'],
  ['primary', 'hall'],
]

describe('the colour arithmetic', () => {
  it('gives 21 for black on white and 4.5 for the grey #767676', () => {
    expect(contrast(linearFromOklch(0, 0, 0), linearFromOklch(1, 0, 0))).toBeCloseTo(21, 1)
    expect(contrast(linearFromOklch(0.5662, 0, 0), linearFromOklch(1, 0, 0))).toBeCloseTo(4.54, 1)
  })
})

describe.each(['beaconry', 'beaconry-dark'])('the theme %s', (theme) => {
  const colours = coloursOf(theme)
  const ratio = (one: string, other: string) => {
    const [first, second] = [colours.get(one), colours.get(other)]
    if (!first || !second) throw new Error(`${theme} lacks ${first ? other : one}`)
    return contrast(first, second)
  }
  it.each(textPairs)('is readable: %s on %s (4.5 : 1)', (text, ground) => {
    expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5)
  })
  it.each(shapePairs)('shows the shape: %s on %s (3 : 1)', (shape, ground) => {
    expect(ratio(shape, ground)).toBeGreaterThanOrEqual(3)
  })
})
