import type { IncomingHttpHeaders } from 'node:http'
import { ProblemError } from '../calls/problems.ts'

/**
 * Throws when another site's page made a changing request. No token: one fetched beforehand would break an offline queue.
 * The browser itself says where a request comes from, and a page cannot forge that; a foreign form cannot send JSON. Who
 * says nothing of it is no browser (every browser says it with a change since 2020, and the session's cookie is
 * SameSite=Strict besides): a program that speaks these calls. The rule is that of Go's http.CrossOriginProtection.
 */
export function checkSameSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (method === 'GET' || method === 'HEAD') return
  if (!comesFromHere(headers, publicOrigin)) {
    throw new ProblemError('cross_site', 'This request did not come from this site.')
  }
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new ProblemError('unsupported_media_type', 'The body must be JSON (Content-Type: application/json).')
  }
}

/** A header that came twice holds both values, comma between them, and so equals nothing that is allowed. */
function comesFromHere({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders, publicOrigin: string): boolean {
  if (site === 'same-origin') return true
  // 'none' is a person's own doing, such as a bookmark; a page named beside it contradicts that.
  if (site === undefined || site === 'none') return origin === undefined || origin === publicOrigin
  return false
}
