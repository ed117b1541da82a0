import { expect, it } from 'vitest'
import * as z from 'zod'
import { validate } from './validation.ts'

const spec = {
  summary: '',
  access: 'anyone',
  body: z.strictObject({ name: z.string().trim().min(1), answers: z.array(z.strictObject({ text: z.string() })) }),
  answer: null,
  status: 204,
} as const
const bodyOf = (body: unknown) => validate(spec, { params: {}, query: {}, body }).body

it('what no database can hold is left out of a text, wherever it stands', () => {
  const body = { name: '\u0000Bea\u0000 \ud83d\ude00', answers: [{ text: 'half \ud83d of one\udc00' }] }
  expect(bodyOf(body)).toEqual({ name: 'Bea 😀', answers: [{ text: 'half  of one' }] })
})

it('a text of nothing else counts as empty', () => {
  expect(() => bodyOf({ name: '\u0000', answers: [] })).toThrow('expected string to have >=1 characters')
})

it('a key that names the prototype is refused like any other unknown key', () => {
  const body = JSON.parse('{"name":"Bea","answers":[],"__proto__":{"isAdmin":true}}') as unknown
  expect(() => bodyOf(body)).toThrow('Unrecognized key')
})
