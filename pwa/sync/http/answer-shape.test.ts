import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { isOfContract, lists, needed } from './answer-shape.ts'

const specs = Object.entries(routes) as [RouteName, RouteSpec][]
const documents = specs.filter(([, { answer, streams }]) => answer !== null && streams === undefined)

describe('what is known of answers without the contract', () => {
  it.each(documents)('%s is a list here exactly if it is one there', (name, { answer }) => {
    expect(lists.has(name)).toBe(answer instanceof z.ZodArray)
  })

  it.each(Object.entries(needed) as [RouteName, readonly string[]][])(
    '%s needs what the contract promises',
    (name, fields) => {
      const { answer } = routes[name] as RouteSpec
      const shape = answer instanceof z.ZodObject ? (answer.shape as Record<string, z.ZodType>) : {}
      for (const field of fields) expect(shape[field]?.isOptional(), `${name}.${field}`).toBe(false)
    },
  )
})

it.each([
  ['getUser', {}],
  ['getUser', []],
  ['getUser', null],
  ['getUser', { id: 1 }],
  ['listEvents', {}],
  ['listEvents', [1, 2]],
  ['listEvents', 'maintenance'],
  ['getEvent', { message: 'Welcome' }],
  ['listPlans', null],
] as const)('an answer that something on the way has made is none of %s: %j', (name, answer) => {
  expect(isOfContract(name, answer)).toBe(false)
})
