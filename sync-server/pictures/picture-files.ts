import type { Knex } from 'knex'
import type Koa from 'koa'
import { isExpectedRow } from '../db/expected-beacon.ts'

const PATH = /^\/pictures\/(events|beacons)\/(\d{1,12})\/([0-9a-f]{64})\.webp$/

/**
 * Returns undefined once its event or organizer's account is gone, the event is taken down, or another picture has its
 * place. People who know its hash can fetch the cover of a hidden event: its organizer looks at the page before it is
 * public.
 */
export async function findCover(db: Knex, eventId: number, sha256: string): Promise<Buffer | undefined> {
  const row = await db('event_covers as p')
    .join('events as e', 'e.id', 'p.eventId')
    .join('users as u', 'u.id', 'e.organizerId')
    .where({ 'p.eventId': eventId, 'p.sha256': sha256, 'u.closedAt': null, 'e.takenDownAt': null })
    .first('p.body')
  return row?.body
}

/** Finds the face of an approved Beacon who is not known to stay away. */
async function findFace(db: Knex, applicationId: number, sha256: string): Promise<Buffer | undefined> {
  const row = await db('application_faces as p')
    .join('applications as a', 'a.id', 'p.applicationId')
    .join('events as e', 'e.id', 'a.eventId')
    .join('users as u', 'u.id', 'e.organizerId')
    .where({
      'p.applicationId': applicationId,
      'p.sha256': sha256,
      'a.status': 'approved',
      'u.closedAt': null,
      'e.takenDownAt': null,
    })
    .whereRaw(`${isExpectedRow} and e.visibility is distinct from 'hidden'`)
    .first('p.body')
  return row?.body
}

/**
 * A cover is kept for five minutes, so that one of a taken-down event is soon gone everywhere. A face is asked for each
 * time: kept, it would outlive the approval that made it public.
 */
export function pictureFiles(db: Knex): Koa.Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/pictures/')) return await next()
    const [, kind, id, sha256] = PATH.exec(ctx.path) ?? []
    const isAsked = sha256 !== undefined && (ctx.method === 'GET' || ctx.method === 'HEAD')
    const find = kind === 'events' ? findCover : findFace
    const body = isAsked ? await find(db, Number(id), sha256) : undefined
    if (!body) {
      ctx.set('Cache-Control', 'no-store')
      ctx.status = 404
      ctx.body = 'Picture Not Found'
      return
    }
    ctx.set('Cache-Control', kind === 'events' ? 'public, max-age=300' : 'private, no-cache')
    ctx.set('ETag', `"${sha256}"`)
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    ctx.type = 'image/webp'
    ctx.body = body
  }
}
