import { headers, isMark, requestFor } from '#shared/api/request.ts'
import { parsed, textOf, type Transport } from './transport.ts'

/** Asks the server to forbid a change. `unknown` when it could not be asked or the answer was not our server's. */
export async function askToCancel(
  transport: Transport,
  account: number | null,
  key: string,
  signal: AbortSignal,
): Promise<'cancelled' | 'already-happened' | 'unknown'> {
  try {
    const answer = await transport({
      ...requestFor('cancelMutation'),
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account, key }),
      signal,
    })
    const body = parsed(await textOf(answer))
    if (answer.status !== 200 || !isMark(answer.header(headers.mark))) return 'unknown'
    const outcome = typeof body === 'object' && body !== null ? (body as { outcome?: unknown }).outcome : undefined
    return outcome === 'cancelled' || outcome === 'already-happened' ? outcome : 'unknown'
  } catch {
    return 'unknown'
  }
}
