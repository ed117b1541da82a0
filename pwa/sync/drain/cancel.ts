import { headers, isOurAnswer, requestFor } from '#shared/contract/request.ts'
import { textOf, type Transport } from './transport.ts'
import { parsed } from '#shared/text/parsed.ts'

export type CancelOutcome = 'cancelled' | 'already-happened'

/** The server admits no more. */
export const maxCancelBatch = 500

/** `unknown` when the server could not be asked or the answer was not our server's. */
export async function askToCancel(
  transport: Transport,
  account: number | null,
  key: string,
  signal: AbortSignal,
): Promise<CancelOutcome | 'unknown'> {
  const said = await ask(transport, 'cancelMutation', { account, key }, signal)
  return isOutcome(said?.['outcome']) ? said['outcome'] : 'unknown'
}

/**
 * A visitor's are asked for one by one, as the server counts them.
 * @param keys at most `maxCancelBatch`
 * @returns outcomes, without keys whose outcome is unknown
 */
export async function askToCancelAll(
  transport: Transport,
  account: number | null,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CancelOutcome>> {
  const outcomes = new Map<string, CancelOutcome>()
  if (account === null) {
    for (const key of keys) {
      const outcome = await askToCancel(transport, account, key, signal)
      if (outcome === 'unknown') break
      outcomes.set(key, outcome)
    }
    return outcomes
  }
  const said = (await ask(transport, 'cancelMutations', { account, keys }, signal))?.['outcomes']
  if (!Array.isArray(said) || said.length !== keys.length || !said.every(isOutcome)) return outcomes
  keys.forEach((key, index) => outcomes.set(key, said[index] as CancelOutcome))
  return outcomes
}

async function ask(
  transport: Transport,
  name: 'cancelMutation' | 'cancelMutations',
  body: object,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const answer = await transport({
      ...requestFor(name),
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    const said = parsed(await textOf(answer))
    if (answer.status !== 200 || !isOurAnswer(answer.header(headers.serverVersion))) return undefined
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isOutcome = (said: unknown): said is CancelOutcome => said === 'cancelled' || said === 'already-happened'
