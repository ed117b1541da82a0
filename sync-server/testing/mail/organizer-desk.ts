import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { OrganizerStage } from '../organizer-stage.ts'
import { createMailDesk, type MailDesk } from './mail-desk.ts'
import { startSmtpService, type SmtpService } from './smtp-service.ts'

/** Workers that send the mails of an organizer's stage, and the mail server they reach. */
interface OrganizerDesk extends MailDesk {
  /** Each test finds it empty. */
  service: SmtpService
}

/** Sets a desk beside the stage of the calling file; after each test it is closed, and nothing is queued any more. */
export function setOrganizerDesk(stage: OrganizerStage): OrganizerDesk {
  const connectionString = () => stage.connectionString
  const desk = createMailDesk(connectionString, () => desk.service) as OrganizerDesk
  beforeAll(async () => {
    desk.service = await startSmtpService()
  })
  afterAll(() => desk.service.close())
  beforeEach(() => {
    desk.service.received.length = 0
  })
  afterEach(async () => {
    await desk.close()
    await stage.db('mails').del()
    await stage.db('jobs').del()
  })
  return desk
}
