import * as z from 'zod'
import { endpoint } from './endpoints.ts'
import { problemStatus } from './problem.ts'
import { headers } from './request.ts'
import type { RouteSpec } from './route.ts'
import { routes, type RouteName } from './routes.ts'

type Json = Record<string, unknown>

/** The table as an OpenAPI 3.1 document: what goes in is described as a sender writes it, what comes out as it arrives. */
export function describeRoutes(): Json {
  const paths: Record<string, Json> = {}
  for (const name of Object.keys(routes) as RouteName[]) {
    const { method, path } = endpoint(name)
    const operations = (paths[path] ??= {})
    operations[method.toLowerCase()] = operation(name, routes[name])
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Beaconry',
      version: '1',
      description: 'Every call of the application. Changes may be repeated with the same Idempotency-Key.',
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-sid', description: '`sid` on http' } },
      schemas: { Problem: problemSchema },
    },
  }
}

const problemSchema: Json = {
  type: 'object',
  required: ['code', 'message', 'requestId'],
  properties: {
    code: { type: 'string', enum: Object.keys(problemStatus) },
    message: { type: 'string' },
    requestId: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    current: {},
  },
}

function operation(name: RouteName, spec: RouteSpec): Json {
  const parameters = [...parametersIn('path', spec.params), ...parametersIn('query', spec.query)]
  if (spec.repeatable === 'key') {
    parameters.push({
      name: headers.idempotencyKey,
      in: 'header',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    })
  }
  const success =
    spec.answer === null
      ? { description: 'Done' }
      : {
          description: 'Done',
          content: { [spec.streams ?? 'application/json']: { schema: schemaOf(spec.answer, 'output') } },
        }
  return {
    operationId: name,
    summary: spec.summary,
    ...(spec.access === 'anyone' ? {} : { security: [{ session: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(spec.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(spec.body, 'input') } } } }
      : {}),
    responses: {
      [spec.status]: success,
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'output') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return described
}
