import { afterAll, beforeAll } from 'vitest'
import type { OrganizerStage } from '../organizer-stage.ts'
import { openMailPost, type MailPost } from './mail-post.ts'

export type OrganizerPost = ReturnType<typeof setOrganizerPost>

/** The way of the mails of an organizer's stage to their mailboxes, beside the stage of the calling file. */
export function setOrganizerPost(stage: OrganizerStage) {
  let post: MailPost
  beforeAll(async () => {
    post = await openMailPost(() => stage.db)
  })
  afterAll(() => post.close())
  return {
    /** Lets so many milliseconds pass on the stage, and answers the mails that leave by then. */
    after: async (ms: number) => {
      stage.clock.now = new Date(stage.clock.now.getTime() + ms)
      return await post.deliver(stage.clock.now)
    },
  }
}
