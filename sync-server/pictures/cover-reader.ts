import type { Knex } from 'knex'
import { findCover } from './picture-files.ts'
import { convertPicture } from './rewrite-picture.ts'

/** The picture of an event's link is drawn over its cover by a room that decodes no pictures. */
export const coverReader = (db: Knex) => ({
  async readCover({ eventId, hash }: { readonly eventId: number; readonly hash: string }): Promise<Buffer | undefined> {
    const cover = await findCover(db, eventId, hash)
    return cover && (await convertPicture(cover, 'jpeg'))
  },
  makeSmaller: async (png: Buffer): Promise<Buffer> => await convertPicture(png, 'png'),
})
