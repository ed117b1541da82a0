import type { Entry, Receipt, Settled } from '../queue/entry.ts'
import type { OutboxStore, Seen } from '../queue/store/outbox-store.ts'

/** The disk of a device that exists in memory only: survives its pages and workers. */
export interface MemoryDisk {
  entries: Entry[]
  nextSeq: number
  receipts: Map<string, Receipt>
  settled: Map<number, Settled>
  account: number | null | undefined
}

export function createDisk(): MemoryDisk {
  return { entries: [], nextSeq: 1, receipts: new Map(), settled: new Map(), account: undefined }
}

/** The same contract as the store in IndexedDB, without IndexedDB: each change is one step. */
export function createMemoryStore(disk: MemoryDisk): OutboxStore {
  return {
    async change(lanes, decide) {
      const entries = lanes === 'all' ? disk.entries : disk.entries.filter((entry) => lanes.includes(entry.lane))
      const seen: Seen = { entries, account: disk.account }
      const change = decide(seen)
      const added = (change.add ?? []).map((entry) => ({ ...entry, seq: disk.nextSeq++ }))
      if (change.put?.length || change.remove?.length || added.length) {
        const bySeq = new Map(disk.entries.map((entry) => [entry.seq, entry]))
        for (const entry of change.put ?? []) bySeq.set(entry.seq, entry)
        for (const seq of change.remove ?? []) bySeq.delete(seq)
        for (const entry of added) bySeq.set(entry.seq, entry)
        disk.entries = [...bySeq.values()].sort((a, b) => a.seq - b.seq)
      }
      for (const receipt of change.receipts ?? []) disk.receipts.set(receipt.key, receipt)
      for (const kept of change.settled ?? []) disk.settled.set(kept.seq, kept)
      for (const seq of change.unkept ?? []) disk.settled.delete(seq)
      if (change.account !== undefined) disk.account = change.account
      return { result: change.result, added }
    },
    entriesOf: async (userId) => disk.entries.filter((entry) => entry.userId === userId),
    receipts: async () => [...disk.receipts.values()],
    settled: async (userId) =>
      [...disk.settled.values()].filter((kept) => kept.userId === userId).sort((a, b) => a.seq - b.seq),
  }
}
