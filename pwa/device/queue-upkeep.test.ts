import { expect, it, vi } from 'vitest'
import { hearEpoch } from '../sync/http/reachability.ts'
import { outboxStore } from '../sync/queue/store/opened-outbox.ts'
import { beaFields } from '../sync/testing/people.ts'
import { followServerEpoch } from './queue-upkeep.ts'

// What Node 20 lacks of a browser.
vi.hoisted(() => {
  const kept = new Map<string, string>()
  const localStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  }
  const navigator = { userAgent: 'Chrome/150 Linux' }
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true })
  Object.defineProperty(globalThis, 'localStorage', { value: localStorage, configurable: true })
})

it("a volunteer's queued application waits for what a server that went back has lost, and only then", async () => {
  const entry = {
    key: 'a',
    userId: null,
    lane: 'apply:12',
    mutation: 'apply-as-beacon',
    args: { id: 410100000002, eventId: 12, eventName: 'Mixer', fields: beaFields },
    argsVersion: 1,
    createdAt: '2026-11-21T10:00:00.000Z',
    state: 'queued',
    attempts: 0,
    nextAt: 0,
  } as const
  await outboxStore.change([], () => ({ add: [entry], result: 0 }))
  const patience = async () => (await outboxStore.entriesOf(null)).map(({ again }) => again?.isNew ?? false)

  hearEpoch('first')
  followServerEpoch()
  hearEpoch('first')
  // The queue is asked in its order: what the epoch asks for would have been done before this answer.
  expect(await patience()).toEqual([false])
  expect(localStorage.getItem('beaconry/epoch')).toBe('first')

  hearEpoch('second')
  await expect.poll(patience).toEqual([true])
  await expect.poll(() => localStorage.getItem('beaconry/epoch')).toBe('second')
})
