import { createRequire } from 'node:module'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { escapeHtml } from '#shared/text/plain-text.ts'
import { formatDateRange, formatTimes } from '#shared/time/date-range.ts'
import { readFontMeasures, type FontMeasures } from './font-measures.ts'

const require = createRequire(import.meta.url)
export const fontFiles = {
  regular: require.resolve('@expo-google-fonts/familjen-grotesk/500Medium/FamiljenGrotesk_500Medium.ttf'),
  bold: require.resolve('@expo-google-fonts/familjen-grotesk/700Bold/FamiljenGrotesk_700Bold.ttf'),
}
const bold = readFontMeasures(fontFiles.bold)
const regular = readFontMeasures(fontFiles.regular)

/** As in the dark hall of pwa/styles.css. */
const colours = { ground: '#10172b', raised: '#202942', text: '#f5f2ea', muted: '#bcc1cd', light: '#ffb02e' }

type PreviewEvent = Pick<PublicEvent, 'name' | 'location' | 'city' | 'state' | 'organizer'> &
  Parameters<typeof formatTimes>[0]

export interface PreviewDrawing {
  readonly svg: string
  /** Characters that our own font does not have. */
  readonly foreign: readonly string[]
}

export function drawPreview(event: PreviewEvent): PreviewDrawing {
  const name = readable(event.name)
  const host = event.organizer ? readable(`Hosted by ${event.organizer.name}`) : ''
  const days = formatDateRange(event.startDate, event.endDate)
  const times = formatTimes(event)
  const when = longestThatFits([times === null ? days : `${days} · ${times}`, days], 36)
  const places = [[event.location, event.city, event.state], [event.location, event.city], [event.location]]
  const place = longestThatFits(
    places.map((parts) => readable(parts.filter(Boolean).join(', '))),
    34,
  )
  const size = linesOf(name, 78, Infinity).length <= 2 ? 78 : 62
  const lines = linesOf(name, size, 3)
  const below = 196 + lines.length * size * 1.1
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">`,
    `<rect width="1200" height="630" fill="${colours.ground}"/>`,
    hall,
    written('Beaconry', { y: 104, x: 128, size: 36, weight: 700, colour: colours.text }),
    ...lines.map((line, index) =>
      written(line, { y: 196 + size * (0.8 + index * 1.1), size, weight: 700, colour: colours.text }),
    ),
    written(when, { y: below + 50, size: 36, colour: colours.light }),
    written(place, { y: below + 100, size: 34, colour: colours.text }),
    written(longestThatFits([host], 30, 700), { y: 574, size: 30, colour: colours.muted }),
    '</svg>',
  ].join('\n')
  const foreign = [...new Set(name + place + host)].filter((one) => !bold.covers(one) && !/\p{M}|\s/u.test(one))
  return { svg, foreign }
}

const left = 72
const columnWidth = 800

const tower = 'M14 14a9.5 9.5 0 0 1 19 0ZM11.500 27h24v4.500H32L33 42H14l1-10.500h-3.500ZM13.500 45h20l1.500 16H12Z'
const person = (x: number, size: number, colour: string) =>
  `<g transform="translate(${x} 630) scale(${size})" fill="${colour}"><circle cy="-108" r="20"/><path d="M-33 0v-46a33 34 0 0 1 66 0V0Z"/></g>`

const hall = [
  `<path d="M990 288 L-40 92 V520 L990 332Z" fill="${colours.light}" opacity="0.07"/>`,
  person(852, 0.86, colours.raised),
  person(924, 0.95, colours.light),
  `<g transform="translate(1252 142) scale(-8 8)"><path d="M16 16.500h15v8H16Z" fill="${colours.light}"/><path d="${tower}" fill="${colours.text}"/></g>`,
  `<g transform="translate(${left - 8} 66) scale(0.84)"><path d="M16 16.500h15v8H16ZM35 16.500 62 6v29L35 24.500Z" fill="${colours.light}"/><path d="${tower}" fill="${colours.text}"/></g>`,
].join('\n')

interface Writing {
  readonly y: number
  readonly x?: number
  readonly size: number
  readonly weight?: 500 | 700
  readonly colour: string
}

function written(text: string, { y, x = left, size, weight = 500, colour }: Writing): string {
  if (text === '') return ''
  return `<text x="${x}" y="${Math.round(y)}" font-family="Familjen Grotesk" font-weight="${weight}" font-size="${size}" fill="${colour}">${escapeHtml(text)}</text>`
}

const pictograph = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3/u

/** What XML may hold and a font can show. */
function readable(text: string): string {
  const kept = [...text.normalize('NFC').replace(/\s+/g, ' ')].filter(
    (one) => bold.covers(one) || !(pictograph.test(one) || /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u.test(one)),
  )
  return kept.join('').replace(/ +/g, ' ').trim()
}

const wide = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u

function widthOf(text: string, font: FontMeasures, size: number): number {
  let ems = 0
  for (const one of text) ems += /\p{M}/u.test(one) ? 0 : (font.widthOf(one) ?? (wide.test(one) ? 1 : 0.7))
  return ems * size
}

function linesOf(text: string, size: number, most: number): string[] {
  const fits = (line: string) => widthOf(line, bold, size) <= columnWidth
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const one of word) {
      if (!fits(line + one)) {
        lines.push(line)
        line = ''
      }
      line += one
    }
  }
  lines.push(line)
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), shortened(lines[most - 1] ?? '', fits)]
}

function longestThatFits(wordings: readonly string[], size: number, width = columnWidth): string {
  const fits = (line: string) => widthOf(line, regular, size) <= width
  return wordings.find(fits) ?? shortened(wordings.at(-1) ?? '', fits)
}

function shortened(text: string, fits: (line: string) => boolean): string {
  const characters = [...text]
  const cut = () => `${characters.join('').replace(/[\s,.;:–-]+$/, '')}…`
  while (characters.length > 0 && !fits(cut())) characters.pop()
  return cut()
}
