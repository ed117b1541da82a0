import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoint } from '../contract/endpoints.ts'
import { describeRoutes } from './openapi.ts'
import type { RouteSpec } from '../contract/route.ts'
import { routes, type RouteName } from './routes.ts'

type Parameter = { $ref?: string; name?: string; in?: string; required?: boolean }
type Operation = { operationId: string; parameters?: Parameter[]; requestBody?: unknown; security?: unknown }

const document = describeRoutes({ origin: 'https://venue.test', cookie: '__Host-sid' })
const paths = document['paths'] as Record<string, Record<string, Operation>>
const names = Object.keys(routes) as RouteName[]
const unnamed = (path: string) => path.replace(/\{\w+\}/g, '{}')
const pathOf = (name: RouteName) =>
  Object.keys(paths).find((path) => unnamed(path) === unnamed(endpoint(name).path)) ?? ''
const operationOf = (name: RouteName): Operation | undefined =>
  paths[pathOf(name)]?.[endpoint(name).method.toLowerCase()]

describe('the OpenAPI document', () => {
  it('is valid to a judge that is not ours, who has nothing to complain about', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(problems.map(({ ruleId, severity, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([])
  })

  it('describes each call under its method and path', () => {
    expect(names.filter((name) => operationOf(name)?.operationId !== name)).toEqual([])
  })

  it('knows each path once, whatever its parameters are called', () => {
    const shapes = Object.keys(paths).map(unnamed)
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  it('names every parameter of a path as a required parameter', () => {
    for (const name of names) {
      const inPath = [...pathOf(name).matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const described = (operationOf(name)?.parameters ?? []).filter(
        (parameter) => parameter.in === 'path' && parameter.required,
      )
      expect(
        described.map((parameter) => parameter.name),
        name,
      ).toEqual(inPath)
    }
  })

  it('shows what a sender writes, not what is made of it', () => {
    const register = JSON.stringify(operationOf('register')?.requestBody)
    expect(register).toContain('"required":["username","email","password"]')
    expect(register).toContain('organizationName')
  })

  it('asks for a session where the table does, and for nothing on public calls', () => {
    for (const name of names)
      expect([name, operationOf(name)?.security]).toEqual([
        name,
        (routes[name] as RouteSpec).access === 'anyone' ? [] : [{ session: [] }],
      ])
    expect(document).toMatchObject({
      servers: [{ url: 'https://venue.test' }],
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-sid' } } },
    })
  })

  it('offers the key of a change without asking for it', () => {
    const parameters = (document['components'] as { parameters: Record<string, Parameter> }).parameters
    expect(parameters['idempotencyKey']).toMatchObject({ name: 'Idempotency-Key', in: 'header', required: false })
    const offered = names.filter((name) =>
      operationOf(name)?.parameters?.some(({ $ref }) => $ref === '#/components/parameters/idempotencyKey'),
    )
    expect(offered).toEqual(names.filter((name) => (routes[name] as RouteSpec).repeatable === 'key'))
  })

  it('has no call that changes something and says nothing about being repeated', () => {
    // Without a word about it a call runs in no transaction, leaves no audit line, and drops what it touched.
    const silent = names.filter((name) => endpoint(name).method !== 'GET' && !(routes[name] as RouteSpec).repeatable)
    expect(silent, 'an audit line would tell who read what').toEqual(['reportErrors', 'countView', 'readInvitation'])
  })

  it('describes a number in a path as a number', () => {
    expect(operationOf('getEvent')?.parameters?.[0]).toMatchObject({ schema: { type: 'integer', minimum: 1 } })
  })
})

const numbers = ['abc', '0', '-1', '1.5', '9999999999999', '1 or 1=1']
/** What a schema refuses about a value: fields by name, and unknown ones. */
const wrong = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ code, path }) =>
    code === 'unrecognized_keys' ? 'unknown' : path[0],
  )

it.each(names)('%s takes no unknown field, no object for a value, no text for a number', (name) => {
  const { params, query, body } = routes[name] as RouteSpec
  for (const part of [params, query, body]) {
    if (!part) continue
    expect(wrong(part, { unknownField: 1 })).toContain('unknown')
    for (const value of [undefined, [], 'text']) expect(wrong(part, value)).not.toEqual([])
  }
  const { properties = {}, required = [] } = body
    ? (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as { properties?: object; required?: string[] })
    : {}
  for (const field of Object.keys(properties)) expect(wrong(body!, { [field]: { $gt: '' } })).toContain(field)
  for (const field of required) expect(wrong(body!, {})).toContain(field)
  for (const [, place = ''] of params ? endpoint(name).path.matchAll(/\{(\w+)\}/g) : [])
    for (const value of numbers) expect([value, wrong(params!, { [place]: value })]).toEqual([value, [place]])
})
