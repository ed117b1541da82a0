import { median, type Figure } from './figures.ts'
import { requestsPerSecond } from './load.ts'

/**
 * GET /api/events a second, beside a server that does nothing but the same query; the two take turns. The ratio says how
 * many times as long one request takes us.
 */
export async function benchRequests(port: number, rawPort: number): Promise<Figure> {
  const ours: number[] = []
  const raw: number[] = []
  await requestsPerSecond(port, '/api/events', { seconds: 0.5 })
  await requestsPerSecond(rawPort, '/events', { seconds: 0.5 })
  for (let turn = 0; turn < 5; turn += 1) {
    raw.push(await requestsPerSecond(rawPort, '/events', { seconds: 1 }))
    ours.push(await requestsPerSecond(port, '/api/events', { seconds: 1 }))
  }
  const ratio = median(raw) / median(ours)
  return {
    name: 'GET /api/events a second (floor: node:http + pg, same query)',
    seen: `${Math.round(median(ours))}/s`,
    floor: `${Math.round(median(raw))}/s`,
    ratio: `${ratio.toFixed(2)}×`,
    target: '≤ 1.7× the work',
    isReached: ratio <= 1.7,
  }
}
