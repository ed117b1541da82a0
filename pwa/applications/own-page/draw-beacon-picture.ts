import type { PublicEvent } from '#shared/events/event-calls.ts'
import { type Cover, coverHeight, coverOf, coverWidth } from '#shared/events/cover.ts'
import { formatEventDays } from '#shared/time/date-range.ts'
import { paths } from '../../paths.ts'

/** Every app that shows pictures takes a square as it is. */
const size = 1080
const margin = 72
/** The dark hall of pwa/styles.css has the same color. */
const ink = '#10172b'
const paper = '#f5f2ea'
const lamp = '#ffb02e'

/**
 * Words in lines of at most `maxWidth`; a line too many ends in "…". A word that is too long stays whole and is cut.
 */
export function linesWithin(
  text: string,
  { widthOf, maxWidth, maxLines }: { widthOf: (text: string) => number; maxWidth: number; maxLines: number },
): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ')
    if (lines.length > 0 && widthOf(longer) <= maxWidth) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const hasMore = lines.length > maxLines
  return lines.slice(0, maxLines).map((line, index) => {
    const ends = hasMore && index === maxLines - 1
    if (!ends && widthOf(line) <= maxWidth) return line
    const characters = [...line]
    while (characters.length > 0 && widthOf(`${characters.join('')}…`) > maxWidth) characters.pop()
    return `${characters.join('').trimEnd()}…`
  })
}

type DrawnEvent = Pick<PublicEvent, 'id' | 'name' | 'location' | 'coverPalette' | 'coverHash'> &
  Parameters<typeof formatEventDays>[0]

/** Draws "I’m a Beacon at …" over the event's cover, as a PNG. It is drawn here, so that it needs no network. */
export async function drawBeaconPicture(event: DrawnEvent, firstName: string): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('This browser cannot draw pictures.')
  await document.fonts.ready
  const upload = await findUpload(event)
  const family = getComputedStyle(document.body).fontFamily
  const lines = [
    { text: 'I’m a Beacon at', pixels: 44, weight: 500, color: lamp, maxLines: 1, height: 90 },
    { text: event.name, pixels: 76, weight: 700, color: paper, maxLines: 2, height: 86 },
    {
      text: `${formatEventDays(event)} · ${event.location}`,
      pixels: 38,
      weight: 500,
      color: paper,
      maxLines: 1,
      height: 66,
    },
    { text: `Come and say hello to ${firstName}!`, pixels: 38, weight: 500, color: lamp, maxLines: 1, height: 56 },
  ].flatMap(({ text, pixels, weight, maxLines, ...look }) => {
    const font = `${weight} ${pixels}px ${family}`
    pen.font = font
    const widthOf = (part: string) => pen.measureText(part).width
    return linesWithin(text, { widthOf, maxWidth: size - 2 * margin, maxLines }).map((line) => ({
      line,
      font,
      ...look,
    }))
  })
  // The scene has the room that the words leave.
  const sceneHeight = size - margin - lines.reduce((sum, { height }) => sum + height, 0)
  pen.fillStyle = ink
  pen.fillRect(0, 0, size, size)
  pen.save()
  pen.beginPath()
  pen.rect(0, 0, size, sceneHeight)
  pen.clip()
  if (upload) drawUpload(pen, upload, sceneHeight)
  else drawScene(pen, coverOf(event.id, event.coverPalette), sceneHeight)
  pen.restore()
  let y = sceneHeight
  for (const { line, font, color, height } of lines) {
    y += height
    pen.font = font
    pen.fillStyle = color
    pen.fillText(line, margin, y)
  }
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png'),
  )
}

const pathOf = (d: string) => new Path2D(d)

function drawScene(pen: CanvasRenderingContext2D, { colors, shapes, isMirrored }: Cover, height: number): void {
  pen.fillStyle = colors.sky
  pen.fillRect(0, 0, size, height)
  const scale = Math.max(size / coverWidth, height / coverHeight)
  pen.translate(size / 2, height)
  pen.scale(isMirrored ? -scale : scale, scale)
  pen.translate(-coverWidth / 2, -coverHeight)
  for (const { ink: color, d, opacity = 1 } of shapes) {
    pen.globalAlpha = opacity
    pen.fillStyle = colors[color]
    pen.fill(pathOf(d))
  }
  pen.globalAlpha = 1
}

function drawUpload(pen: CanvasRenderingContext2D, upload: ImageBitmap, height: number): void {
  const scale = Math.max(size / upload.width, height / upload.height)
  const [drawnWidth, drawnHeight] = [upload.width * scale, upload.height * scale]
  pen.drawImage(upload, (size - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight)
}

/** It is null without one, and where it is not at hand without a network: the scene replaces it. */
async function findUpload({ id, coverHash }: DrawnEvent): Promise<ImageBitmap | null> {
  if (coverHash === undefined) return null
  try {
    const answer = await fetch(paths.coverPicture(id, coverHash))
    return answer.ok ? await createImageBitmap(await answer.blob()) : null
  } catch {
    return null
  }
}
