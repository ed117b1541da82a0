import type { IncomingHttpHeaders } from 'node:http'

const robotWords = /bot|crawl|spider|slurp|preview|headless|facebookexternalhit|lighthouse|curl|wget|python/i

/** A browser's request for a page that may never be shown counts as a robot's. */
export function isRobot(headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent'] ?? ''
  const purpose = [headers['sec-purpose'], headers['purpose']].join(' ')
  return agent === '' || robotWords.test(agent) || /prefetch|prerender|preview/i.test(purpose)
}
