import type { EndpointName } from '#shared/contract/endpoints.ts'
import { requestFor } from '#shared/contract/request.ts'
import type { CallOptions, TestAnswer } from './test-server.ts'

/** A script or an integration: JSON and the session's cookie, and none of the headers that our own app sends. */
export interface PlainClient {
  call(name: EndpointName, options?: Pick<CallOptions, 'params' | 'query' | 'body'>): Promise<TestAnswer>
}

/** A client that knows nothing but the specification's calls, made with node's own fetch; `cookie` is a session to begin with. */
export function createPlainClient(origin: string, cookie: string | null = null): PlainClient {
  return {
    call: async (name, { params, query, body } = {}) => {
      const { method, url } = requestFor(name, params, query)
      const headers = {
        ...(cookie === null ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const answer = await fetch(new URL(url, origin), {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      for (const set of answer.headers.getSetCookie()) cookie = kept(set)
      const text = await answer.text()
      return { status: answer.status, text, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
    },
  }
}

/** The cookie to send from now on; null for one that is taken away. */
function kept(set: string): string | null {
  const [pair = '', ...attributes] = set.split(';')
  const isGone = pair.endsWith('=') || attributes.some((attribute) => /expires=thu, 01 jan 1970/i.test(attribute))
  return isGone ? null : pair
}
