import { describe, expect, it } from 'vitest'
import { applicationDocument, eventDocument } from '../../sync/testing/people.ts'
import { applicationsCsv, csvFileName } from './applications-csv.ts'

const event = eventDocument(1, { customQuestions: ['Languages?', 'Shirt size'] })

/** The cells of a CSV text, read the way a spreadsheet reads it. */
function cells(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of csv
    .replace('\uFEFF', '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.slice(0, -1)
}

function column(header: string, changes: Parameters<typeof applicationDocument>[2]): string | undefined {
  const [headers = [], row = []] = cells(applicationsCsv(event, [applicationDocument(7, 1, changes)]))
  return row[headers.indexOf(header)]
}

describe('the CSV of applications', () => {
  it('begins with the mark that makes Excel read UTF-8', () => {
    expect(applicationsCsv(event, []).startsWith('\uFEFFFirst Name,Last Name,Email')).toBe(true)
  })

  it.each([
    ['=HYPERLINK("http://evil.example")', `'=HYPERLINK("http://evil.example")`],
    ['+1 555 0100', "'+1 555 0100"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [';=1+2', ";'=1+2"],
    ['a;\t@SUM(A1)', "a;\t'@SUM(A1)"],
    ['a\t=1+2', "a\t'=1+2"],
    ['a\n=1+2', "a\n'=1+2"],
    ['\t=1+2', "'=1+2"],
    ['  =1+2', "'=1+2"],
    ['\u200b\u0000=1+2', "\u200b\u0000'=1+2"],
    ['＝1＋2', "'＝1＋2"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['"=1+2', `"'=1+2`],
    ['Smith-Jones = 1; a+b', 'Smith-Jones = 1; a+b'],
    ['Plain', 'Plain'],
  ])('never hands %s to a spreadsheet as a formula', (company, shown) => {
    expect(column('Company', { company })).toBe(shown)
  })

  it('keeps quotes, commas and lines inside their cell', () => {
    const bio = 'Says "hi",\nthen listens'
    expect(column('Bio', { bio })).toBe(bio)
  })

  it('has an empty cell where there is nothing', () => {
    expect(column('Phone', { phone: null })).toBe('')
    expect(column('Why Beacon', { whyBeacon: '' })).toBe('')
    expect(column('Shirt size', { customAnswers: [] })).toBe('')
  })

  it('has a column for each question asked now, then for those asked before', () => {
    const csv = applicationsCsv(event, [
      applicationDocument(7, 1, { customAnswers: [{ question: 'Languages?', answer: 'Spanish' }] }),
      applicationDocument(8, 1, { customAnswers: [{ question: 'Old question', answer: 'Old answer' }] }),
    ])
    const [headers = [], first = [], second = []] = cells(csv)
    expect(headers.slice(-3)).toEqual(['Languages?', 'Shirt size', 'Old question'])
    expect([first.slice(-3), second.slice(-3)]).toEqual([
      ['Spanish', '', ''],
      ['', '', 'Old answer'],
    ])
  })

  it.each([
    ['came', { arrivedAt: '2026-12-02T03:00:00.000Z' }, 'Yes'],
    ['did not come', { presence: { [event.startDate]: null } }, 'No'],
    ['nobody said', {}, ''],
  ])('says whether somebody came: %s', (_, changes, shown) => {
    expect(column('Came', { status: 'approved', ...changes })).toBe(shown)
  })

  it('has a column for each day of an event of several', () => {
    const days = { ...event, startDate: '2026-12-01', endDate: '2026-12-02', startTime: '10:00', endTime: '18:00' }
    const presence = { '2026-12-01': '2026-12-01T19:00:00.000Z', '2026-12-02': null }
    const [headers = [], row = []] = cells(
      applicationsCsv(days, [applicationDocument(7, 1, { arrivedAt: presence['2026-12-01'], presence })]),
    )
    expect([row[headers.indexOf('Came 2026-12-01')], row[headers.indexOf('Came 2026-12-02')]]).toEqual(['Yes', 'No'])
  })

  it('tells times by the clock of the venue, and a withdrawal as what it is', () => {
    expect(column('Applied', { createdAt: '2026-11-02T06:30:00Z' })).toBe('2026-11-01 22:30')
    expect(column('Status', { status: 'rejected', withdrawnAt: '2026-11-02T06:30:00Z' })).toBe('Withdrawn')
  })
})

it.each([
  ['Müller Mixer', 'muller-mixer-applications-2026-11-21.csv'],
  ['Café & Friends / 2026!', 'cafe-friends-2026-applications-2026-11-21.csv'],
  ['東京', 'event-1-applications-2026-11-21.csv'],
])('the file of %s is called %s', (name, file) => {
  expect(csvFileName({ ...event, name }, new Date('2026-11-22T03:00:00Z'))).toBe(file)
})
