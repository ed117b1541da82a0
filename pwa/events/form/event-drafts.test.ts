import { afterEach, describe, expect, it } from 'vitest'
import { deviceDb } from '../../device/device-tables.ts'
import { keepDraft } from '../../device/kept-drafts.ts'
import { emptyEventForm } from './event-form-values.ts'
import { addressOfForm, eventDraftKey, removeEventDraft, withoutOlderCopy } from './event-drafts.ts'

afterEach(async () => await deviceDb.drafts.clear())

const values = emptyEventForm
const savedAt = '2031-05-09T10:00:00.000Z'

describe('the copy of a draft on the page that publishes it', () => {
  const restored = { values, basis: null }

  it.each([
    ['2031-05-09T09:00:00.000Z', null],
    [savedAt, null],
    ['2031-05-09T11:00:00.000Z', restored],
  ])('that was written at %s fills the form only if the draft is older', (foundAt, expected) => {
    expect(withoutOlderCopy({ restored, foundAt }, { savedAt }).restored).toEqual(expected)
  })

  it('is restored where there is no draft of the builder', () => {
    expect(withoutOlderCopy({ restored, foundAt: savedAt }, null).restored).toEqual(restored)
  })

  it('goes with its draft, and comes back with it', async () => {
    const draft = { id: 'a', key: eventDraftKey(7, 'a'), title: 'Mixer', drafted: { name: null, values }, savedAt }
    await keepDraft({ key: draft.key, value: draft.drafted, savedAt })
    await keepDraft({ key: 'user:7/event/new/from-draft/a', value: restored, savedAt })
    await keepDraft({ key: 'user:7/event/new/from-draft/b', value: restored, savedAt })
    const putBack = await removeEventDraft(7, draft)
    expect(await deviceDb.drafts.toCollection().primaryKeys()).toEqual(['user:7/event/new/from-draft/b'])
    await putBack()
    expect(await deviceDb.drafts.count()).toBe(3)
  })
})

it.each([
  ['new', '/events/create'],
  ['new/from-draft/7f1c', '/events/create?draft=7f1c'],
  ['new/template/12', '/events/create?template=12'],
  ['new/from/40', undefined],
])('what was written in the form %s is opened at %s', (form, address) => {
  expect(addressOfForm(form)).toBe(address)
})
