import { describe, expect, it } from 'vitest'
import { applicationDocument } from '#shared/sync/replication-calls.ts'
import { applicationDocument as beasDocument } from '../testing/people.ts'
import { parsePage, rxSchema, schemaHash } from './replica-schema.ts'

const position = { epoch: '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10', version: 9, checkpoint: 'any text' }
const bea = beasDocument(7, 12, { version: 9, customAnswers: [{ question: 'Diet?', answer: 'None' }] })

describe('the schema of a collection', () => {
  it.each(['events', 'applications', 'account'] as const)(
    'of %s has a bounded key and fields that RxDB takes',
    (name) => {
      const schema = rxSchema(name)
      expect(schema.primaryKey).toBe('key')
      expect(schema.properties.key).toMatchObject({ type: 'string', maxLength: 20 })
      for (const refused of ['revision', 'deleted', 'collection', 'primary', 'get', 'update'])
        expect(schema.properties).not.toHaveProperty(refused)
      expect(schema.indexes).toBeUndefined()
    },
  )

  it('covers every field of the contract', () => {
    expect(Object.keys(rxSchema('applications').properties).sort()).toEqual(
      Object.keys(applicationDocument.shape).sort(),
    )
  })

  it('has the same hash every time', async () => {
    expect(await schemaHash()).toMatch(/^[0-9a-f]{64}$/)
    expect(await schemaHash()).toBe(await schemaHash())
  })
})

describe('a pulled page', () => {
  it('is taken as it is, tombstones beside documents', () => {
    const page = parsePage('applications', {
      documents: [bea, { key: '8', version: 5, _deleted: true }],
      ...position,
      head: 9,
    })
    expect(page?.documents).toEqual([bea, { key: '8', version: 5, _deleted: true }])
  })

  it('of a newer server loses what this app does not know, inside optional parts too', () => {
    const note = { note: 'Met in Berlin', at: null, device: null }
    const newer = { ...bea, otherNotes: [{ ...note, mood: 'sunny' }] }
    const page = parsePage('applications', { documents: [newer], ...position, head: 9 })
    expect(page?.documents).toEqual([{ ...bea, otherNotes: [note] }])
  })

  it.each([
    ['without its status', { ...bea, status: undefined }],
    ['with a status of tomorrow', { ...bea, status: 'on the waiting list' }],
    ['of another shape', { ...bea, eventId: 'twelve' }],
  ])('passes over a document %s, names it, and takes the rest', (_, document) => {
    const other = { ...bea, key: '8', id: 8 }
    const page = parsePage('applications', { documents: [document, other], ...position, head: 9 })
    expect([page?.documents, page?.unreadable]).toEqual([[other], ['7']])
  })

  it.each([
    ['a document without a key', { documents: [{ ...bea, key: undefined }], ...position, head: 9 }],
    ['no checkpoint', { documents: [], head: 9 }],
    ['a text', 'hello'],
  ])('is refused when it has %s', (_, body) => {
    expect(parsePage('applications', body)).toBeUndefined()
  })
})
