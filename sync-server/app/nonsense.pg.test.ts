import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { RouteName } from '#shared/api/routes.ts'
import { matrix, names, specOf, type Made } from '../testing/access/access-matrix.ts'
import { setMatrixCast } from '../testing/access/matrix-cast.ts'
import type { CallOptions } from '../testing/test-server.ts'

const { arrive, makeEvent } = await setMatrixCast()

describe('what may come in', () => {
  // Nothing that is asked for here is done: all calls are about the same.
  let ids: Made
  beforeAll(async () => {
    ids = await makeEvent()
  })

  const takesInput = names.filter((name) => specOf(name).params ?? specOf(name).query ?? specOf(name).body)

  it.each(takesInput)('%s refuses nonsense in every part and field', async (name) => {
    const client = await arrive(specOf(name).access === 'admin' ? 'admin' : 'owner')
    const valid = matrix[name].input?.(ids) ?? {}
    const wrong = badCalls(name, valid)
    expect(wrong.length).toBeGreaterThan(0)
    await Promise.all(
      wrong.map(async ([what, options]) => {
        const answer = await client.call(name, options)
        expect([answer.status, answer.body?.code], `${what}: ${answer.text}`).toEqual([400, 'invalid_input'])
      }),
    )
  })

  /** Made from the schemas: an unknown field everywhere, and every field with a value of a kind it cannot have. */
  function badCalls(name: RouteName, valid: CallOptions): [string, CallOptions][] {
    const { params, query, body } = specOf(name)
    const calls: [string, CallOptions][] = []
    for (const place of params ? Object.keys(valid.params ?? {}) : []) {
      for (const value of ['abc', '0', '-1', '1.5', '9999999999999', '1 or 1=1'])
        calls.push([`${place}=${value}`, { ...valid, params: { ...valid.params, [place]: value } }])
    }
    if (query) {
      calls.push(['an unknown query parameter', { ...valid, query: { ...valid.query, unknownField: '1' } }])
    }
    if (!body) return calls
    calls.push(['no body', valid.params ? { params: valid.params } : {}])
    calls.push(['a list for a body', { ...valid, body: [] }], ['a text for a body', { ...valid, body: 'text' }])
    calls.push(['an unknown field', { ...valid, body: { ...(valid.body as object), unknownField: 1 } }])
    const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as {
      properties?: Record<string, object>
      required?: string[]
    }
    for (const field of Object.keys(properties)) {
      calls.push([`an object in ${field}`, { ...valid, body: { ...(valid.body as object), [field]: { $gt: '' } } }])
      if (required.includes(field)) {
        const { [field]: _, ...rest } = valid.body as Record<string, unknown>
        calls.push([`${field} missing`, { ...valid, body: rest }])
      }
    }
    return calls
  }
})
