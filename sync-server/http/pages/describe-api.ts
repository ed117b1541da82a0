import { describeRoutes } from '#shared/api/openapi.ts'
import type { Handler } from '../../calls/handler.ts'
import { sessionCookieName } from '../session.ts'

const texts = new Map<string, string>()

/** The table as OpenAPI 3.1; made once for the address people reach the server at. */
export const describeApi: Handler<'describeApi'> = async ({ config: { publicOrigin } }) => {
  const cookie = sessionCookieName(publicOrigin)
  const jsonText = texts.get(publicOrigin) ?? JSON.stringify(describeRoutes({ origin: publicOrigin, cookie }))
  texts.set(publicOrigin, jsonText)
  return { jsonText }
}
