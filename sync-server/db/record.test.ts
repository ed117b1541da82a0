import { describe, expect, it } from 'vitest'
import { documentOf, inputOf } from '#shared/record/record-schema.ts'
import { emptyForm, labelsOf, pick, type RecordFields } from '#shared/record/record.ts'
import { columnsOf, presenterOf } from './column-names.ts'

/** A record with a field of every kind. */
const record = {
  name: { kind: 'text', required: true, max: 10, label: 'Name', audience: 'anyone' },
  parkingHint: { kind: 'text', max: 10, label: 'Parking', audience: 'anyone' },
  style: { kind: 'text', mayBeBlank: true, max: 10, label: 'Style', audience: 'organizer', question: 'How?' },
  mail: { kind: 'email', required: true, label: 'Mail', audience: 'organizer' },
  day: { kind: 'date', required: true, label: 'Day', audience: 'anyone', message: 'Which day?' },
  opens: { kind: 'time', label: 'Opens', audience: 'anyone' },
  zip: { kind: 'zip', label: 'ZIP', audience: 'anyone' },
  page: { kind: 'url', host: 'example.com', label: 'Page', audience: 'anyone', message: 'Which page?' },
  closesAt: { kind: 'wall-clock', label: 'Closes', audience: 'anyone' },
  size: { kind: 'choice', of: ['S', 'M'], label: 'Size', audience: 'organizer', message: 'S or M?' },
  often: { kind: 'choice', of: ['Once'], mayBeBlank: true, label: 'Often', audience: 'organizer' },
  most: { kind: 'count', max: 5, label: 'Most', audience: 'organizer' },
  isOpen: { kind: 'flag', default: true, label: 'Open', audience: 'anyone' },
  asked: { kind: 'texts', max: 2, label: 'Asked', audience: 'anyone', message: 'Two at most' },
  answers: { kind: 'answers', max: 2, label: 'Answers', audience: 'organizer' },
} as const satisfies RecordFields

const typed = {
  ...emptyForm(record),
  name: ' Ann ',
  parkingHint: 'Behind',
  mail: 'ann@example.com',
  day: '2026-12-01',
  page: 'https://www.example.com',
  closesAt: '2026-11-30T17:00',
  most: 3,
  asked: ['Why?'],
  answers: [{ question: 'Why?', answer: 'Because' }],
}
const stored = {
  name: 'Ann',
  parkingHint: 'Behind',
  style: '',
  mail: 'ann@example.com',
  day: '2026-12-01',
  opens: null,
  zip: null,
  page: 'https://www.example.com/',
  closesAt: '2026-11-30T17:00',
  size: null,
  often: '',
  most: 3,
  isOpen: true,
  asked: ['Why?'],
  answers: [{ question: 'Why?', answer: 'Because' }],
} as const

describe('a field that is described once', () => {
  it('is in the empty form, in a request and under its label', () => {
    expect(emptyForm(record)).toMatchObject({ parkingHint: '', most: null, isOpen: true, asked: [], closesAt: null })
    expect(inputOf(record).parse(typed)).toEqual(stored)
    expect(labelsOf(record).parkingHint).toBe('Parking')
    expect(pick(record, { ...stored, asked: ['Why?'], answers: [], more: 1 } as never)).not.toHaveProperty('more')
  })

  it('is refused in its own words', () => {
    const wrong = {
      ...typed,
      name: ' ',
      parkingHint: 'x'.repeat(11),
      day: '',
      page: 'https://elsewhere.net',
      size: 'L',
    }
    const { error } = inputOf(record).safeParse({ ...wrong, asked: ['a', 'b', 'c'], most: 6, unknown: 1 })
    expect(
      Object.fromEntries((error?.issues ?? []).toReversed().map(({ path, message }) => [path.join('.'), message])),
    ).toMatchObject({
      name: 'Required',
      parkingHint: 'Please keep this under 10 characters',
      day: 'Which day?',
      page: 'Which page?',
      size: 'S or M?',
      asked: 'Two at most',
      most: 'Please enter a whole number',
      '': expect.stringContaining('unknown'),
    })
  })

  it('is a column of its row, and in the documents of those who read it alone', () => {
    const columns = columnsOf(record, { ...stored, asked: [...stored.asked], answers: [...stored.answers] })
    expect(columns).toMatchObject({
      parkingHint: 'Behind',
      closesAt: '2026-11-30T17:00',
      asked: '["Why?"]',
      isOpen: true,
    })
    expect(columnsOf(record, { parkingHint: 'Left' }), 'what is not given stays').toEqual({ parkingHint: 'Left' })
    const row = { ...columns, asked: ['Why?'], answers: [...stored.answers] } as never
    const forAnyone = presenterOf(record, 'anyone')(row)
    expect(forAnyone).toMatchObject({ parkingHint: 'Behind', closesAt: '2026-11-30T17:00' })
    expect(documentOf(record, 'anyone').parse(forAnyone)).toEqual(forAnyone)
    expect(forAnyone).not.toHaveProperty('mail')
    const forOrganizer = presenterOf(record, 'organizer')(row)
    expect(documentOf(record, 'organizer').parse(forOrganizer)).toEqual(forOrganizer)
    expect(Object.keys({ ...forAnyone, ...forOrganizer }).sort()).toEqual(Object.keys(record).sort())
  })
})
