import type { Knex } from 'knex'
import type Koa from 'koa'
import { createHash } from 'node:crypto'
import type { SiteParts } from './describe-page.ts'
import { drawPreview, fontFiles, withCover, type PreviewDrawing } from './preview-drawing.ts'

const PATH = /^\/events\/(\d{1,12})\/preview\.png$/

const drawnAtOnce = 2
const maxWaiting = 20

/** What draws knows neither WebP nor how to make a photograph small; the code that decodes pictures does. */
export interface CoverReader {
  /** Returns a JPEG, or undefined where the cover is gone. */
  readonly readCover: (cover: NonNullable<PreviewDrawing['cover']>) => Promise<Buffer | undefined>
  readonly makeSmaller: (png: Buffer) => Promise<Buffer>
}

export function previewPictures({
  db,
  findPublicEvent,
  covers,
}: Pick<SiteParts, 'db' | 'findPublicEvent'> & { readonly covers: CoverReader }): Koa.Middleware {
  const previews = keepPreviews(db, paintOver(covers))
  return async (ctx, next) => {
    const id = PATH.exec(ctx.path)?.[1]
    if (id === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    ctx.set('Cache-Control', 'no-cache')
    const found = await findPublicEvent(Number(id))
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
    const picture = await previews(Number(id), key, drawing)
    if (picture === 'busy') {
      ctx.status = 503
      ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': '10' })
      ctx.remove('ETag')
      ctx.body = 'Too many pictures are being drawn'
    } else if (picture === null) {
      ctx.remove('ETag')
      ctx.redirect('/link-preview.png')
    } else {
      ctx.type = 'image/png'
      ctx.body = picture
    }
  }
}

/** Returns null where the text cannot be written. */
export type Paint = (drawing: PreviewDrawing) => Promise<Buffer | null>

/**
 * An event's picture is kept in the database until its text changes, and while it is drawn, all who ask wait for the
 * same one. What could not be written is tried again after a day, because fonts may have been added.
 */
export function keepPreviews(
  db: Knex,
  paint: Paint,
): (eventId: number, key: string, drawing: PreviewDrawing) => Promise<Buffer | null | 'busy'> {
  const underWay = new Map<string, Promise<Buffer | null | 'busy'>>()
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
  const findOrDraw = async (eventId: number, key: string, drawing: PreviewDrawing) => {
    const kept = await findPreview(db, eventId, key)
    if (kept) return kept.body
    if (waiting.length >= maxWaiting) return 'busy'
    const body = await inTurn(drawing)
    await keepPreview(db, eventId, key, body)
    return body
  }
  return async (eventId, key, drawing) => {
    const name = `${eventId} ${key}`
    const known = underWay.get(name)
    if (known) return await known
    const asked = findOrDraw(eventId, key, drawing).finally(() => underWay.delete(name))
    underWay.set(name, asked)
    return await asked
  }
}

async function findPreview(db: Knex, eventId: number, hash: string): Promise<{ body: Buffer | null } | undefined> {
  return await db('event_previews')
    .where({ eventId, hash })
    .whereRaw(`(body is not null or drawn_at > now() - interval '1 day')`)
    .first('body')
}

/** The event may have been deleted since. */
async function keepPreview(db: Knex, eventId: number, hash: string, body: Buffer | null): Promise<void> {
  await db.raw(
    `insert into event_previews (event_id, hash, body, drawn_at) select id, ?, ?, now() from events where id = ?
     on conflict (event_id) do update set hash = excluded.hash, body = excluded.body, drawn_at = excluded.drawn_at`,
    [hash, body, eventId] as Knex.Value[],
  )
}

const paintOver =
  ({ readCover, makeSmaller }: CoverReader): Paint =>
  async (drawing) => {
    const body = drawing.cover && (await readCover(drawing.cover))
    if (!body) return await paintPng(drawing)
    const png = await paintPng(withCover(drawing, { type: 'image/jpeg', body }))
    return png && (await makeSmaller(png))
  }

const family = 'Familjen Grotesk'

async function paintPng({ svg, foreign }: PreviewDrawing): Promise<Buffer | null> {
  // Some platform may lack the native package.
  const resvg = await import('@resvg/resvg-js').catch(() => undefined)
  if (!resvg) return null
  const font = {
    fontFiles: Object.values(fontFiles),
    defaultFontFamily: family,
    loadSystemFonts: foreign.length > 0,
  }
  const render = async (text: string) => await resvg.renderAsync(text, { font, logLevel: 'off' })
  if (foreign.length > 0 && !(await canWrite(foreign, render))) return null
  return (await render(svg)).asPng()
}

const cell = 32
/** No font has this character. */
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
