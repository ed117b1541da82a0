import { describe, expect, it } from 'vitest'
import { endpoint } from './endpoints.ts'
import { describeRoutes } from './openapi.ts'
import { routes, type RouteName } from './routes.ts'

type Operation = {
  operationId: string
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: unknown
  security?: unknown
}
const paths = describeRoutes()['paths'] as Record<string, Record<string, Operation>>
const operationOf = (name: RouteName): Operation | undefined => {
  const { method, path } = endpoint(name)
  return paths[path]?.[method.toLowerCase()]
}

describe('the OpenAPI document', () => {
  it.each(Object.keys(routes) as RouteName[])('describes %s under its method and path', (name) => {
    expect(operationOf(name)?.operationId).toBe(name)
  })

  it('names every place of a path as a required parameter', () => {
    for (const name of Object.keys(routes) as RouteName[]) {
      const places = [...endpoint(name).path.matchAll(/\{(\w+)\}/g)].map(([, place]) => place)
      const described = (operationOf(name)?.parameters ?? []).filter(
        (parameter) => parameter.in === 'path' && parameter.required,
      )
      expect(
        described.map((parameter) => parameter.name),
        name,
      ).toEqual(places)
    }
  })

  it('shows what a sender writes, not what is made of it', () => {
    const register = JSON.stringify(operationOf('register')?.requestBody)
    expect(register).toContain('"required":["username","email","password"]')
    expect(register).toContain('organizationName')
  })

  it('asks for a session and a key where the table does', () => {
    expect(operationOf('createEvent')).toMatchObject({
      security: [{ session: [] }],
      parameters: [{ name: 'Idempotency-Key', required: true }],
    })
    expect(operationOf('listEvents')?.security).toBeUndefined()
  })
})
