import { afterAll, beforeAll } from 'vitest'
import type { OrganizerStage } from '../organizer-stage.ts'
import { openMailPost, type ArrivedMail, type MailPost } from './mail-post.ts'

/** The way of the mails of an organizer's stage to their mailboxes. */
export interface OrganizerPost {
  /** Lets so many milliseconds pass on the stage, and answers the mails that leave by then. */
  after(ms: number): Promise<ArrivedMail[]>
}

/** Sets it beside the stage of the calling file. */
export function setOrganizerPost(stage: OrganizerStage): OrganizerPost {
  let post: MailPost
  beforeAll(async () => {
    post = await openMailPost(() => stage.db)
  })
  afterAll(() => post.close())
  return {
    after: async (ms) => {
      stage.clock.now = new Date(stage.clock.now.getTime() + ms)
      return await post.deliver(stage.clock.now)
    },
  }
}
