import type { Problem } from '#shared/contract/problem.ts'
import type { Entry, Receipt } from '../../queue/entry.ts'
import type { Change, OutboxStore, Seen } from '../../queue/store/outbox-store.ts'

/** One change, and what a phone last told its owner about it. */
export interface Line {
  readonly phone: string
  readonly key: string
  readonly seq: number
  readonly userId: number | null
  readonly lane: string
  readonly mutation: string
  readonly args: unknown
  told: 'saved' | 'acknowledged' | 'refused'
  /** It waited behind a refused change of its lane. */
  wasBlocked?: true
  /** With `acknowledged`: the answer. */
  body?: unknown
  version?: number | null
  /** With `refused`. */
  status?: number
  problem?: Problem
}

/** Every change of every phone and what was said about it, read off what the phones wrote to their disks. */
export type Ledger = ReturnType<typeof openLedger>

/** @param onTold called at the moment a phone writes down that a change is acknowledged or refused */
export function openLedger(onTold: (lines: readonly Line[]) => void = () => {}) {
  const lines = new Map<string, Line>()
  /** What was said that must never be said. */
  const wrongs: string[] = []

  function lineFor(phone: string, entry: Entry): Line {
    const known = lines.get(entry.key)
    if (known) return Object.assign(known, { args: entry.args })
    const { key, seq, userId, lane, mutation, args } = entry
    const line: Line = { phone, key, seq, userId, lane, mutation, args, told: 'saved' }
    lines.set(key, line)
    return line
  }

  function hear(phone: string, entry: Entry): Line | undefined {
    const line = lineFor(phone, entry)
    if (entry.state === 'blocked') line.wasBlocked = true
    if (entry.state === 'acknowledged' && line.told !== 'acknowledged') {
      if (line.told !== 'saved') wrongs.push(`${line.key} was ${line.told} and then acknowledged`)
      return Object.assign(line, {
        told: 'acknowledged',
        body: entry.acknowledged?.body,
        version: entry.acknowledged?.version,
      })
    }
    if (entry.state === 'parked' && line.told !== 'refused') {
      if (line.told !== 'saved') wrongs.push(`${line.key} was ${line.told} and then refused`)
      if (!entry.refusal?.problem.message) wrongs.push(`${line.key} was refused without a reason`)
      return Object.assign(line, { told: 'refused', status: entry.refusal?.status, problem: entry.refusal?.problem })
    }
    return undefined
  }

  function hearReceipt(receipt: Receipt): Line | undefined {
    const line = lines.get(receipt.key)
    if (!line || line.told === 'acknowledged') return undefined
    if (line.told !== 'saved') wrongs.push(`${line.key} was ${line.told} and then acknowledged`)
    return Object.assign(line, { told: 'acknowledged', body: receipt.answer, version: null })
  }

  function note(phone: string, seen: Seen, change: Change<unknown>, added: readonly Entry[]): void {
    const news: (Line | undefined)[] = seen.entries.map((entry) => hear(phone, entry))
    news.push(...(change.receipts ?? []).map(hearReceipt))
    for (const entry of [...(change.put ?? []), ...added]) {
      news.push(hear(phone, entry))
      if (entry.state !== 'acknowledged' && lines.get(entry.key)?.told === 'acknowledged')
        wrongs.push(`${entry.key} was acknowledged and is ${entry.state} again`)
    }
    const told = news.filter((line) => line !== undefined)
    if (told.length > 0) onTold(told)
  }

  return {
    lines,
    wrongs,
    /** The store as the phone uses it, with the ledger looking on. */
    watch: (phone: string, store: OutboxStore): OutboxStore => ({
      ...store,
      async change(lanes, decide) {
        let last: { seen: Seen; change: Change<unknown> } | undefined
        const answer = await store.change(lanes, (seen) => {
          const change = decide(seen)
          last = { seen, change }
          return change
        })
        if (last) note(phone, last.seen, last.change, answer.added)
        return answer
      },
    }),
  }
}
