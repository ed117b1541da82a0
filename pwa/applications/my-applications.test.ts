import { expect, it } from 'vitest'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { listApplications } from './my-applications.ts'
import type { SentFor } from './own-application.ts'

it('an application sent from here and opened by its mail’s link is listed once, sent first', () => {
  const sent = [{ eventId: 1, eventName: 'Mixer', sent: { id: 7, token: 'of-answer' } }] as unknown as SentFor[]
  const opened = (token: string, id: number) => ({
    token,
    known: { value: { id, eventId: id } as OwnApplication, asOf: '2026-03-03' },
  })
  const found = [opened('of-mail', 7), opened('new', 9), opened('old', 8)]
  expect(listApplications(sent, found)).toEqual([
    { eventId: 1, id: 7, eventName: 'Mixer', token: 'of-answer' },
    { eventId: 9, id: 9, eventName: null, token: 'new' },
    { eventId: 8, id: 8, eventName: null, token: 'old' },
  ])
})
