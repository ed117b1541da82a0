import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accountDocument, applicationDocument, eventDocument, tombstone } from '#shared/sync/replication-calls.ts'
import { applicationDocument as bea, eventDocument as mixer } from '../testing/people.ts'
import { compileReader, unreadable } from './compiled-reader.ts'

/** The same schema with the allowances that a compiled reader makes: what it is to agree with. */
function lenient(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
    return z.object(Object.fromEntries(fields.map(([name, field]) => [name, lenient(field)])))
  }
  if (schema instanceof z.ZodOptional) return lenient(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodNullable)
    return lenient(schema.unwrap() as z.ZodType)
      .nullable()
      .default(null)
  if (schema instanceof z.ZodArray) return z.array(lenient(schema.element as z.ZodType))
  return schema
}

const schemas: [string, z.ZodObject, object][] = [
  ['an event', eventDocument, mixer(12)],
  ['an application', applicationDocument, bea(7, 12, { customAnswers: [{ question: ' Diet? ', answer: 'None' }] })],
  ['an account', accountDocument, {}],
  ['a tombstone', tombstone, { key: '7', version: 3, _deleted: true }],
]
/** Values near and beyond the borders of what fields hold. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, '', ' ', 0, -1, 1.5, 2 ** 53, true, 'x'.repeat(21), 'pending', 'approved', [], {}, [null]),
  fc.uuid(),
  fc.constantFrom([{ question: '', answer: '' }], [{ question: ' a ', answer: ' b ', more: 1 }], [{ question: 'a' }]),
)

/** The first, and now and then the second. */
const nearly = <T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 99, arbitrary: usual }, { weight: 1, arbitrary: seldom })

/** A value that the schema takes, or nearly. */
function valueOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
    return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)])))
  }
  if (schema instanceof z.ZodOptional) return fc.option(valueOf(schema.unwrap() as z.ZodType), { nil: undefined })
  if (schema instanceof z.ZodNullable) return fc.option(valueOf(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodArray) return fc.array(valueOf(schema.element as z.ZodType), { maxLength: 3 })
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodUUID) return fc.uuid()
  if (schema instanceof z.ZodString)
    return nearly(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 24 }))
  if (schema instanceof z.ZodNumber) return nearly(fc.nat(), fc.oneof(fc.integer(), fc.double()))
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  throw new Error(`The contract has a new kind of field: ${schema.def.type}`)
}

describe.each(schemas)('%s', (_, schema, known) => {
  const read = compileReader(schema)
  const judge = lenient(schema)
  const expected = (value: unknown) => {
    const { success, data } = judge.safeParse(value)
    return success ? data : unreadable
  }
  const names = Object.keys(schema.shape)

  it('is read as its schema reads it, whatever fields hold', () => {
    let readable = 0
    const document = fc.tuple(
      valueOf(schema),
      fc.array(fc.tuple(fc.constantFrom(...names, 'mood'), odd), { maxLength: 2 }),
    )
    fc.assert(
      fc.property(document, fc.array(fc.constantFrom(...names), { maxLength: 1 }), ([whole, changes], missing) => {
        const value = { ...(whole as object), ...Object.fromEntries(changes) } as Record<string, unknown>
        for (const name of missing) delete value[name]
        const json: unknown = JSON.parse(JSON.stringify(value))
        if (expected(json) !== unreadable) readable += 1
        expect(read(json)).toStrictEqual(expected(json))
      }),
      { numRuns: 2000 },
    )
    expect(readable, 'documents that were readable').toBeGreaterThan(100)
  })

  it('that is no object at all is not read', () => {
    for (const value of [null, undefined, 1, 'text', true, [], [known]]) expect(read(value)).toBe(unreadable)
  })
})

it('leaves what it does not know to the schema', () => {
  const even = z.number().refine((value) => value % 2 === 0)
  const read = compileReader(z.strictObject({ even, day: z.iso.date(), either: z.union([z.string(), z.boolean()]) }))
  expect(read({ even: 2, day: '2026-03-01', either: true })).toEqual({ even: 2, day: '2026-03-01', either: true })
  for (const wrong of [{ even: 3 }, { day: 'today' }, { either: 1 }])
    expect(read({ even: 2, day: '2026-03-01', either: '', ...wrong })).toBe(unreadable)
})
