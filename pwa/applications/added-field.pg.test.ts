import { beforeAll, describe, expect, it, vi } from 'vitest'
import type * as ApplicationRecord from '#shared/applications/application-record.ts'
import { applicationDocument, eventDocument, type ApplicationDocument } from '#shared/sync/replication-calls.ts'
import { setOrganizerStage } from '../../sync-server/testing/organizer-stage.ts'
import { checkApplication, emptyApplyForm, type ApplyFormValues } from './apply-form-values.ts'
import { applicationsCsv } from './manage/applications-csv.ts'

/** The application as it would be described with one field more; nothing else of the program knows of it. */
vi.mock('#shared/applications/application-record.ts', async (importOriginal) => {
  const original = await importOriginal<typeof ApplicationRecord>()
  const pronouns = { kind: 'text', max: 20, label: 'Pronouns for the badge', audience: 'organizer' } as const
  return { ...original, applicationRecord: { ...original.applicationRecord, pronouns } }
})

const stage = await setOrganizerStage()

beforeAll(async () => {
  await stage.db.schema.alterTable('applications', (table) => table.text('pronouns'))
})

const typed = { firstName: 'Bea', lastName: 'Berg', email: 'bea@example.com', pronouns: ' she/her ', agreeTerms: true }

/** What the apply form would send. */
function filledIn(event: Parameters<typeof checkApplication>[1], changes: object = {}) {
  return checkApplication({ ...emptyApplyForm(), ...typed, ...changes } as ApplyFormValues, event)
}

describe('a field that is added to the description of an application', () => {
  it('is in the form, the request, the row, the document and the spreadsheet', async () => {
    const published = await stage.publish({ showDefaultQuestions: false })
    const form = emptyApplyForm()
    expect(form, 'the form').toHaveProperty('pronouns', '')

    const checked = filledIn(published)
    expect(checked, 'the request').toMatchObject({ fields: { pronouns: 'she/her' } })
    const { fields } = checked as Extract<typeof checked, { fields: unknown }>
    const id = await stage.applicant(published.id, { ...fields })

    const row = await stage.db('applications').where({ id }).first()
    expect(row, 'the row').toMatchObject({ pronouns: 'she/her' })

    const feed = await stage.feed(`org:${stage.olivia.userId}`)
    const written = (collection: string) => JSON.parse(feed.findLast((one) => one.collection === collection)!.body!)
    const received = { key: String(id), version: 1 }
    const application = applicationDocument.parse({ ...written('applications'), ...received }) as ApplicationDocument
    expect(application, 'the document on the phone').toMatchObject({ pronouns: 'she/her' })

    const event = eventDocument.parse({ ...written('events'), ...received })
    const [header, line] = applicationsCsv(event, [application]).split('\r\n')
    const column = header!.split(',').indexOf('Pronouns For The Badge')
    expect(line!.split(',')[column], 'the spreadsheet').toBe('she/her')
  })

  it('is refused in the words of its description, by the form and by the server', async () => {
    const event = await stage.publish({ showDefaultQuestions: false })
    const pronouns = 'x'.repeat(21)
    const message = 'Please keep this under 20 characters'
    expect(filledIn(event, { pronouns })).toEqual({ errors: { pronouns: message } })
    const { status, body } = await stage.apply(event.id, { pronouns })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(message)
  })

  it('is for the organizer alone', async () => {
    const event = await stage.publish({ showDefaultQuestions: false })
    const id = await stage.applicant(event.id, { pronouns: 'they/them' })
    await stage.decide(id, { status: 'approved', basis: null })
    const { body } = await stage.run('listBeacons', { params: { id: event.id } })
    expect(body).toHaveLength(1)
    expect(JSON.stringify(body)).not.toContain('they/them')
  })
})
