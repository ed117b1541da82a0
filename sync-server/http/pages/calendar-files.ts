import { createHash } from 'node:crypto'
import type Koa from 'koa'
import { calendarFile, calendarFileName } from '#shared/events/calendar.ts'
import { findPublicEvent, type SiteParts } from './describe-page.ts'

const PATH = /^\/events\/(\d{1,10})\.ics$/

/** `/events/{id}.ics`: a public event for anybody's calendar; 404 when there is none. */
export function calendarFiles({ db, publicOrigin }: SiteParts): Koa.Middleware {
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
    // What a mail has put into a calendar is not taken for newer than what is fetched here.
    const counted = await db('events').where({ id: found.event.id }).first('edition')
    const text = calendarFile(found.event, publicOrigin, found.changedAt, { sequence: counted?.edition ?? 0 })
    ctx.attachment(calendarFileName(found.event))
    ctx.type = 'text/calendar; charset=utf-8'
    ctx.set('ETag', `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`)
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = text
  }
}
