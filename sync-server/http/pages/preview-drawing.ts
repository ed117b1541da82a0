import { createRequire } from 'node:module'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { type Cover, coverHeight, coverOf, coverWidth } from '#shared/events/cover.ts'
import { escapeHtml } from '#shared/text/plain-text.ts'
import { formatTimes, formatEventDays } from '#shared/time/date-range.ts'
import { readFontMeasures, type FontMeasures } from './font-measures.ts'

const require = createRequire(import.meta.url)
export const fontFiles = {
  regular: require.resolve('@expo-google-fonts/familjen-grotesk/500Medium/FamiljenGrotesk_500Medium.ttf'),
  bold: require.resolve('@expo-google-fonts/familjen-grotesk/700Bold/FamiljenGrotesk_700Bold.ttf'),
}
const bold = readFontMeasures(fontFiles.bold)
const regular = readFontMeasures(fontFiles.regular)

/** The dark hall of pwa/styles.css has the same colour. */
const textColour = '#f5f2ea'

type PreviewEvent = Pick<
  PublicEvent,
  'id' | 'name' | 'location' | 'city' | 'state' | 'organizer' | 'coverPalette' | 'coverHash'
> &
  Parameters<typeof formatTimes>[0]

/** An uploaded cover has this name in a drawing, until its pixels take the name's place. */
const uploadName = 'href="cover"'

export interface PreviewDrawing {
  readonly svg: string
  /** It names the uploaded cover whose pixels the drawing still lacks. */
  readonly cover?: { readonly eventId: number; readonly hash: string }
  /** Our own font does not have these characters. */
  readonly foreign: readonly string[]
}

export function drawPreview(event: PreviewEvent): PreviewDrawing {
  const name = readable(event.name)
  const host = event.organizer ? readable(`Hosted by ${event.organizer.name}`) : ''
  const days = formatEventDays(event)
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
  const cover = coverOf(event.id, event.coverPalette)
  const { near, lamp } = cover.colors
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">`,
    sceneOf(cover),
    event.coverHash === undefined
      ? ''
      : `<image ${uploadName} width="1200" height="630" preserveAspectRatio="xMidYMid slice"/>`,
    `<linearGradient id="dusk"><stop offset="0.45" stop-color="${near}" stop-opacity="0.93"/><stop offset="0.8" stop-color="${near}" stop-opacity="0.45"/><stop offset="1" stop-color="${near}" stop-opacity="0"/></linearGradient>`,
    `<rect width="1200" height="630" fill="url(#dusk)"/>`,
    brand(lamp),
    written('Beaconry', { y: 104, x: 128, size: 36, weight: 700, colour: textColour }),
    ...lines.map((line, index) =>
      written(line, { y: 196 + size * (0.8 + index * 1.1), size, weight: 700, colour: textColour }),
    ),
    written(when, { y: below + 50, size: 36, colour: lamp }),
    written(place, { y: below + 100, size: 34, colour: textColour }),
    written(longestThatFits([host], 30, 700), { y: 574, size: 30, colour: textColour }),
    '</svg>',
  ].join('\n')
  const foreign = [...new Set(name + place + host)].filter((one) => !bold.covers(one) && !/\p{M}|\s/u.test(one))
  return event.coverHash === undefined
    ? { svg, foreign }
    : { svg, foreign, cover: { eventId: event.id, hash: event.coverHash } }
}

const left = 72
const columnWidth = 800

/** The event's page shows the same scene in the same colors. */
function sceneOf({ colors, shapes, isMirrored }: Cover): string {
  const scale = Math.max(1200 / coverWidth, 630 / coverHeight)
  const mirror = isMirrored ? 'translate(1200 0) scale(-1 1) ' : ''
  const drawn = shapes.map(({ ink, d, opacity = 1 }) => `<path d="${d}" fill="${colors[ink]}" opacity="${opacity}"/>`)
  return [
    `<rect width="1200" height="630" fill="${colors.sky}"/>`,
    `<g transform="${mirror}translate(${(1200 - coverWidth * scale) / 2} 0) scale(${scale})">`,
    ...drawn,
    '</g>',
  ].join('\n')
}

/** @param picture in any format that SVG may hold. A drawing without it shows the scene. */
export function withCover(
  drawing: PreviewDrawing,
  picture: { readonly type: string; readonly body: Buffer },
): PreviewDrawing {
  const address = `data:${picture.type};base64,${picture.body.toString('base64')}`
  return { ...drawing, svg: drawing.svg.replace(uploadName, () => `href="${address}"`) }
}

const tower = 'M14 14a9.5 9.5 0 0 1 19 0ZM11.500 27h24v4.500H32L33 42H14l1-10.500h-3.500ZM13.500 45h20l1.500 16H12Z'
const brand = (light: string) =>
  `<g transform="translate(${left - 8} 66) scale(0.84)"><path d="M16 16.500h15v8H16ZM35 16.500 62 6v29L35 24.500Z" fill="${light}"/><path d="${tower}" fill="${textColour}"/></g>`

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

function linesOf(text: string, size: number, max: number): string[] {
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
  return lines.length <= max ? lines : [...lines.slice(0, max - 1), shortened(lines[max - 1] ?? '', fits)]
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
