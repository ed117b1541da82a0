import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast } from './testing/contrast.ts'

const css = readFileSync(new URL('../styles.css', import.meta.url), 'utf8')

/** The opaque colours of one theme block in styles.css, by custom property name without its dashes and prefix. */
function coloursOf(theme: string): Map<string, string> {
  const block = css
    .split(/@plugin ['"]daisyui\/theme['"]/)
    .find((part) => new RegExp(`name: ['"]${theme}['"];`).test(part))
  if (!block) throw new Error(`styles.css has no theme ${theme}`)
  const declaration = /--(?:color|ui)-([\w-]+): (oklch\([\d.% ]+\));/g
  return new Map([...block.slice(0, block.indexOf('}')).matchAll(declaration)].map(([, name, css]) => [name!, css!]))
}

const surfaces = ['base-100', 'base-200']
const onSurfaces = ['base-content', 'muted', 'signal', 'success', 'info', 'error', 'secondary']
const fills = ['primary', 'secondary', 'neutral', 'info', 'success', 'error']
const textPairs: [text: string, ground: string][] = [
  ...onSurfaces.flatMap((text) => surfaces.map((ground): [string, string] => [text, ground])),
  ...fills.map((fill): [string, string] => [`${fill}-content`, fill]),
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
