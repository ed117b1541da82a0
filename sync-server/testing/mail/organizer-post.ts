import { afterAll, afterEach, beforeAll } from 'vitest'
import type { OrganizerStage } from '../organizer-stage.ts'
import { openMailPost, type MailPost } from './mail-post.ts'

export type OrganizerPost = ReturnType<typeof setOrganizerPost>

/** The way of the mails of an organizer's stage to their mailboxes, beside the stage of the calling file; none outlives its test. */
export function setOrganizerPost(stage: OrganizerStage) {
  let post: MailPost
  beforeAll(async () => {
    post = await openMailPost(() => stage.db)
  })
  afterAll(() => post.close())
  afterEach(async () => {
    await stage.db('mails').del()
    await stage.db('jobs').del()
  })
  return {
    /** Lets so many milliseconds pass on the stage, and answers the mails that leave by then. */
    after: async (ms: number) => {
      stage.clock.now = new Date(stage.clock.now.getTime() + ms)
      return await post.deliver(stage.clock.now)
    },
  }
}
