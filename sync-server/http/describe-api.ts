import { describeRoutes } from '#shared/api/openapi.ts'
import type { Handler } from './handler.ts'

let text: string | undefined

/** The table as OpenAPI 3.1; made once, on the first call. */
export const describeApi: Handler<'describeApi'> = async () => {
  text ??= JSON.stringify(describeRoutes())
  return { jsonText: text }
}
