import { describe, expect, it } from 'vitest'
import { applicationDocument as beasDocument } from '../testing/people.ts'
import { parsePage, schemaHash } from './replica-schema.ts'

const position = { epoch: '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10', version: 9, checkpoint: 'any text', more: false }
const sent = (document: object) => ({ collection: 'applications', ...document })
const read = (document: object) => ({ collection: 'applications', document })
const bea = beasDocument(7, 12, { version: 9, customAnswers: [{ question: 'Diet?', answer: 'None' }] })

describe('the layout of a copy', () => {
  it('has the same hash every time', async () => {
    expect(await schemaHash()).toMatch(/^[0-9a-f]{64}$/)
    expect(await schemaHash()).toBe(await schemaHash())
  })
})

describe('a pulled page', () => {
  it('is taken as it is, tombstones beside documents', () => {
    const page = parsePage({
      documents: [bea, { key: '8', version: 5, _deleted: true }].map(sent),
      ...position,
      head: 9,
    })
    expect(page?.documents).toEqual([bea, { key: '8', version: 5, _deleted: true }].map(read))
  })

  it('of a newer server loses what this app does not know, inside optional parts too', () => {
    const note = { note: 'Met in Berlin', at: null, device: null }
    const newer = { ...bea, otherNotes: [{ ...note, mood: 'sunny' }] }
    const page = parsePage({ documents: [sent(newer)], ...position, head: 9 })
    expect(page?.documents).toEqual([read({ ...bea, otherNotes: [note] })])
  })

  it.each([
    ['without its status', { ...bea, status: undefined }],
    ['with a status of tomorrow', { ...bea, status: 'on the waiting list' }],
    ['of another shape', { ...bea, eventId: 'twelve' }],
  ])('passes over a document %s, names it, and takes the rest', (_, document) => {
    const other = { ...bea, key: '8', id: 8 }
    const page = parsePage({ documents: [document, other].map(sent), ...position, head: 9 })
    expect([page?.documents, page?.unreadable]).toEqual([[read(other)], ['applications/7']])
  })

  it.each([
    ['a document without a key', { documents: [sent({ ...bea, key: undefined })], ...position, head: 9 }],
    ['a document without a collection', { documents: [bea], ...position, head: 9 }],
    ['no checkpoint', { documents: [], head: 9, more: false }],
    ['a text', 'hello'],
  ])('is refused when it has %s', (_, body) => {
    expect(parsePage(body)).toBeUndefined()
  })
})
