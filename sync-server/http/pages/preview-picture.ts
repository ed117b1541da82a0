import type Koa from 'koa'
import { createHash } from 'node:crypto'
import { findPublicEvent, type SiteParts } from './describe-page.ts'
import { drawPreview, fontFiles, type PreviewDrawing } from './preview-drawing.ts'

const PATH = /^\/events\/(\d{1,12})\/preview\.png$/

const mostKept = 100
const drawnAtOnce = 2
const mostWaiting = 20

export function previewPictures({ db }: Pick<SiteParts, 'db'>, paint: Paint = paintPng): Koa.Middleware {
  const pictures = keepPictures(paint)
  return async (ctx, next) => {
    const id = PATH.exec(ctx.path)?.[1]
    if (id === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    ctx.set('Cache-Control', 'no-cache')
    const found = await findPublicEvent(db, Number(id))
    if (!found) {
      ctx.status = 404
      ctx.body = 'Event Not Found'
      return
    }
    const drawing = drawPreview(found.event)
    const key = createHash('sha256').update(drawing.svg).digest('base64url').slice(0, 22)
    ctx.set('ETag', `"${key}"`)
    ctx.set('Cache-Control', 'public, max-age=600')
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    const picture = await pictures(key, drawing)
    if (picture === 'busy') {
      ctx.status = 503
      ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': '10' })
      ctx.remove('ETag')
      ctx.body = 'Too many pictures are being drawn'
    } else if (picture === undefined) {
      ctx.remove('ETag')
      ctx.redirect('/link-preview.png')
    } else {
      ctx.type = 'image/png'
      ctx.body = picture
    }
  }
}

/** Undefined where the text cannot be written. */
export type Paint = (drawing: PreviewDrawing) => Promise<Buffer | undefined>

export function keepPictures(
  paint: Paint,
): (key: string, drawing: PreviewDrawing) => Promise<Buffer | undefined | 'busy'> {
  const kept = new Map<string, Promise<Buffer | undefined>>()
  const waiting: (() => void)[] = []
  let free = drawnAtOnce

  const inTurn = async (drawing: PreviewDrawing) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await paint(drawing)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
  return async (key, drawing) => {
    const known = kept.get(key)
    if (!known && waiting.length >= mostWaiting) return 'busy'
    const picture = known ?? inTurn(drawing)
    kept.delete(key)
    kept.set(key, picture)
    if (!known) picture.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return await picture
  }
}

const family = 'Familjen Grotesk'

async function paintPng({ svg, foreign }: PreviewDrawing): Promise<Buffer | undefined> {
  // Some platform may lack the native package.
  const resvg = await import('@resvg/resvg-js').catch(() => undefined)
  if (!resvg) return undefined
  const font = {
    fontFiles: Object.values(fontFiles),
    defaultFontFamily: family,
    loadSystemFonts: foreign.length > 0,
  }
  const render = async (text: string) => await resvg.renderAsync(text, { font, logLevel: 'off' })
  if (foreign.length > 0 && !(await canWrite(foreign, render))) return undefined
  return (await render(svg)).asPng()
}

const cell = 32
/** In no font. */
const missing = '\u{10fffd}'

async function canWrite(
  characters: readonly string[],
  render: (svg: string) => Promise<{ readonly pixels: Buffer; readonly width: number }>,
): Promise<boolean> {
  const texts = [missing, ...characters].map(
    (one, index) => `<text x="4" y="${index * cell + 24}" font-family="${family}" font-size="20">${one}</text>`,
  )
  const height = texts.length * cell
  const { pixels, width } = await render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${cell}" height="${height}">${texts.join('')}</svg>`,
  )
  const cellBytes = width * cell * 4
  const cellOf = (index: number) => pixels.subarray(index * cellBytes, (index + 1) * cellBytes)
  return characters.every((_, index) => !cellOf(index + 1).equals(cellOf(0)))
}
