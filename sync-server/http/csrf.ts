import type { IncomingHttpHeaders } from 'node:http'
import { ProblemError } from './problems.ts'

/**
 * Throws when a changing request was not made by our own page or worker. No token: one fetched beforehand would break
 * an offline queue. The browser itself says where a request comes from, and a page cannot forge that; a foreign form
 * cannot send JSON.
 */
export function checkSameSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (method === 'GET' || method === 'HEAD') return
  if (headers['sec-fetch-site'] !== 'same-origin' && headers.origin !== publicOrigin) {
    throw new ProblemError('cross_site', 'This request did not come from this site.')
  }
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new ProblemError('unsupported_media_type', 'The body must be JSON (Content-Type: application/json).')
  }
}
