import * as z from 'zod'
import { endpoint } from '../contract/endpoints.ts'
import { problemStatus } from '../contract/problem.ts'
import { headers, wireVersion } from '../contract/request.ts'
import type { RouteSpec } from '../contract/route.ts'
import { namesInPath, routes, type RouteName } from './routes.ts'

type Json = Record<string, unknown>

export interface DescribedServer {
  /** E.g. 'https://beaconry.example'. */
  readonly origin: string
  readonly cookie: string
}

/** Describes input as a sender writes it and output as it arrives, in OpenAPI 3.1. */
export function describeRoutes({ origin, cookie }: DescribedServer): Json {
  const paths = new Map<string, { path: string; operations: Json }>()
  for (const name of Object.keys(routes) as RouteName[]) {
    const { method, path } = endpoint(name)
    // OpenAPI takes paths that differ only in parameter names for one; the first names them.
    const shape = path.replace(/\{\w+\}/g, '{}')
    const known = paths.get(shape) ?? { path, operations: {} }
    known.operations[method.toLowerCase()] = operation(name, routes[name], namesInPath(known.path))
    paths.set(shape, known)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Beaconry', version: String(wireVersion), description },
    servers: [{ url: origin }],
    security: [{ session: [] }],
    paths: Object.fromEntries([...paths.values()].map(({ path, operations }) => [path, operations])),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Set by signing in or up.' },
      },
      parameters: Object.fromEntries(
        Object.entries(headerParameters).map(([header, described]) => [
          header,
          { name: headers[header as HeaderName], in: 'header', required: false, ...described },
        ]),
      ),
      headers: {
        [headers.serverVersion]: {
          description: 'The version of the contract. An answer without this header did not come from this server.',
          required: true,
          schema: { type: 'integer' },
        },
      },
      responses: {
        Refused: {
          description: 'Refused',
          headers: answerHeaders,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      schemas: { Problem: problemSchema },
    },
  }
}

const description = `Every call of the application. A client needs JSON bodies and the session's cookie; every header is optional.
Changes may be repeated with the same ${headers.idempotencyKey}, without one each is made again. A page of another site is
refused: where \`Sec-Fetch-Site\` or \`Origin\` is sent, it must name this site.`

type HeaderName = keyof typeof headers

/** Lists the headers that a client may send, by their names in `headers`. */
const headerParameters: Readonly<Partial<Record<HeaderName, Json>>> = {
  idempotencyKey: {
    description: `Repeating the same change under the same key answers what it came to; ${headers.acknowledged} repeats the key.`,
    schema: { type: 'string', format: 'uuid' },
  },
  deviceId: {
    description: 'Names the device in the list of sessions and in the history of decisions.',
    schema: { type: 'string', pattern: '^[\\w-]{1,64}$' },
  },
  deviceName: { description: 'What its owner calls the device, percent-encoded.', schema: { type: 'string' } },
  account: {
    description: "The account the call is meant for; another one's session is refused with 409.",
    schema: { type: 'integer', minimum: 0 },
  },
  applicationToken: {
    description: "What opens an applicant's own page.",
    required: true,
    schema: { type: 'string', minLength: 1 },
  },
}

const reference = (header: HeaderName): Json => ({ $ref: `#/components/parameters/${header}` })
const answerHeaders: Json = { [headers.serverVersion]: { $ref: `#/components/headers/${headers.serverVersion}` } }

const problemSchema: Json = {
  type: 'object',
  required: ['code', 'message', 'requestId'],
  properties: {
    code: { type: 'string', enum: Object.keys(problemStatus) },
    message: { type: 'string' },
    requestId: { type: 'string' },
    advice: { type: 'string', description: 'With a failure of the server: to be shown behind the message' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    current: {},
  },
}

/** @param pathNames names of the path's parameters in the document */
function operation(name: RouteName, spec: RouteSpec, pathNames: readonly string[]): Json {
  const { method, path } = endpoint(name)
  const inPath = parametersIn('path', spec.params).map((parameter) => ({
    ...parameter,
    name: pathNames[namesInPath(path).indexOf(parameter['name'] as string)],
  }))
  const parameters = [
    ...inPath,
    ...parametersIn('query', spec.query),
    ...(spec.header === undefined ? [] : [reference(spec.header)]),
    ...(spec.repeatable === 'key' ? [reference('idempotencyKey')] : []),
    ...(method === 'GET' ? [] : [reference('deviceId'), reference('deviceName'), reference('account')]),
  ]
  const content =
    spec.answer === null
      ? {}
      : { content: { [spec.streams ?? 'application/json']: { schema: schemaOf(spec.answer, 'output') } } }
  return {
    operationId: name,
    summary: spec.summary,
    security: spec.access === 'anyone' ? [] : [{ session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(spec.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(spec.body, 'input') } } } }
      : {}),
    responses: {
      [spec.status]: { description: 'Done', headers: answerHeaders, ...content },
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Refused' },
    },
  }
}

function parametersIn(part: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'output') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: part,
    required: part === 'path' || required.includes(name),
    schema: property,
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return described
}
