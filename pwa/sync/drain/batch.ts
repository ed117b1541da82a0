import { headers, isOurAnswer, requestFor } from '#shared/contract/request.ts'
import type { Entry } from '../queue/entry.ts'
import { basisOf } from '../queue/mutations/entry-basis.ts'
import { findKnown, sentOf } from '../queue/mutations/mutations.ts'
import { textOf, type Transport, type TransportAnswer } from './transport.ts'
import { parsed } from '#shared/text/parsed.ts'
import { classify, type Verdict } from './verdict.ts'

export interface Batch {
  readonly account: number | null
  readonly organizerId?: number | undefined
  readonly entries: readonly Entry[]
}

export interface LineVerdict {
  readonly key: string
  readonly verdict: Verdict | 'untouched'
}

/** `answered`: the lines speak for themselves. */
export type BatchEnd = { readonly kind: 'answered' } | Verdict

/** Returns undefined for a change that this app does not know. */
export function lineFor(entry: Entry): string | undefined {
  const sent = sentOf(entry)
  return (
    sent &&
    JSON.stringify({
      key: entry.key,
      route: sent.route,
      lane: entry.lane,
      params: sent.params,
      body: sent.body,
      basis: basisOf(entry),
      again: entry.again === 'taken' || undefined,
    })
  )
}

function readLine(
  line: string,
  entries: ReadonlyMap<string, Entry>,
  epoch: string | undefined,
): LineVerdict | undefined {
  const value = parsed(line)
  if (typeof value !== 'object' || value === null) return undefined
  const { key, status, version, checkpoint, body, retryAfterSeconds, untouched } = value as Record<string, unknown>
  const entry = typeof key === 'string' ? entries.get(key) : undefined
  if (!entry) return undefined
  if (untouched === true) return { key: entry.key, verdict: 'untouched' }
  if (typeof status !== 'number') return undefined
  // After a restore another device may yet bring back what is to be deleted.
  const missingIsSuccess = !entry.again && (findKnown(entry)?.mutation.missingIsSuccess ?? false)
  const verdict = classify(
    {
      status,
      echoed: true,
      body,
      version: typeof version === 'number' ? version : null,
      checkpoint: typeof checkpoint === 'string' ? checkpoint : undefined,
      epoch,
      retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
    },
    { missingIsSuccess },
  )
  return { key: entry.key, verdict }
}

async function readWhole(answer: TransportAnswer): Promise<Verdict> {
  const body = parsed(await textOf(answer))
  const seconds = Number(answer.header('Retry-After') ?? NaN)
  const verdict = classify({
    status: answer.status,
    echoed: isOurAnswer(answer.header(headers.serverVersion)),
    body,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  })
  // A 2xx that is not our stream of lines acknowledges nothing.
  return verdict.kind === 'acknowledged' ? { kind: 'unreachable' } : verdict
}

/** Never throws for the network's sake. @param onProgress called whenever something came */
export async function sendBatch(
  transport: Transport,
  batch: Batch,
  signal: AbortSignal,
  onProgress: () => void,
  onVerdicts: (verdicts: readonly LineVerdict[]) => void,
): Promise<BatchEnd> {
  const entries = new Map(batch.entries.map((entry) => [entry.key, entry]))
  const lines = batch.entries.map((entry) => lineFor(entry))
  let answer: TransportAnswer
  try {
    answer = await transport({
      ...requestFor('replayMutations'),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/x-ndjson, application/json',
        ...(batch.account === null ? {} : { [headers.account]: String(batch.account) }),
        ...(batch.organizerId === undefined ? {} : { [headers.organizer]: String(batch.organizerId) }),
      },
      body: `{"account":${JSON.stringify(batch.account)},"entries":[${lines.join(',')}]}`,
      signal,
    })
    onProgress()
    const isOurs = answer.status === 200 && isOurAnswer(answer.header(headers.serverVersion))
    if (!isOurs || !(answer.header('Content-Type') ?? '').includes('application/x-ndjson'))
      return await readWhole(answer)
  } catch {
    return { kind: 'unreachable' }
  }
  const epoch = answer.header(headers.epoch) ?? undefined
  let rest = ''
  const handOver = (texts: readonly string[]) => {
    const verdicts = texts.map((text) => readLine(text, entries, epoch)).filter((verdict) => verdict !== undefined)
    if (verdicts.length > 0) onVerdicts(verdicts)
  }
  const pieces = answer.body[Symbol.asyncIterator]()
  for (;;) {
    let piece: IteratorResult<string>
    try {
      piece = await pieces.next()
    } catch {
      handOver([rest])
      return { kind: 'unreachable' }
    }
    if (piece.done) break
    onProgress()
    const texts = (rest + piece.value).split('\n')
    rest = texts.pop() ?? ''
    handOver(texts)
  }
  // A last line without its end is whole if it parses: half an object never does.
  handOver([rest])
  return { kind: 'answered' }
}
