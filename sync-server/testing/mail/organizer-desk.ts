import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { OrganizerStage } from '../organizer-stage.ts'
import { createMailDesk, type MailDesk } from './mail-desk.ts'
import { startSmtpService, type SmtpService } from './smtp-service.ts'

/** Workers that send the mails of an organizer's stage, and the mail server they reach. */
interface OrganizerDesk extends MailDesk {
  /** Each test finds it empty. */
  readonly service: SmtpService
}

/** Sets a desk beside the stage of the calling file; after each test it is closed, and nothing is queued any more. */
export function setOrganizerDesk(stage: OrganizerStage): OrganizerDesk {
  let service: SmtpService
  const desk = createMailDesk(
    () => stage.connectionString,
    () => service,
  )
  beforeAll(async () => {
    service = await startSmtpService()
  })
  afterAll(() => service.close())
  beforeEach(() => {
    service.received.length = 0
  })
  afterEach(async () => {
    await desk.close()
    await stage.db('mails').del()
    await stage.db('jobs').del()
  })
  return {
    ...desk,
    get service() {
      return service
    },
  }
}
