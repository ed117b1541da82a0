import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deviceDb } from './device-tables.ts'
import { draftWriter, readDraft } from './drafts.ts'
import { deleteLeftDrafts, keepLeftDraft } from './left-drafts.ts'
import { textStorage } from '../sync/testing/text-storage.ts'

beforeEach(() => void vi.stubGlobal('localStorage', textStorage()))
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await deviceDb.drafts.clear()
})

function openDraft() {
  const told: string[] = []
  return { told, writer: draftWriter<string>('a', (kept) => told.push(kept)) }
}

describe('a draft', () => {
  it('is on disk before it is called saved, in its newest form', async () => {
    const { writer, told } = openDraft()
    writer.save('H')
    writer.save('Hi')
    writer.flush()
    expect(told).toEqual(['memory', 'memory'])
    await writer.settled()
    expect(told.at(-1)).toBe('saved')
    expect((await readDraft('a'))?.value).toBe('Hi')
  })

  it('that one form still writes is read whole by the next', async () => {
    const { writer } = openDraft()
    writer.save('last words')
    writer.flush()
    expect((await readDraft('a'))?.value).toBe('last words')
  })

  it('typed while an older one is being written is not called saved yet', async () => {
    const { writer, told } = openDraft()
    writer.save('one')
    writer.flush()
    writer.save('two')
    await writer.settled()
    expect(told.at(-1)).toBe('memory')
    writer.flush()
    await writer.settled()
    expect([told.at(-1), (await readDraft('a'))?.value]).toEqual(['saved', 'two'])
  })

  it('that the disk refuses stays in memory, says so, and is written at the next chance', async () => {
    const { writer, told } = openDraft()
    vi.spyOn(deviceDb.drafts, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'))
    writer.save('one')
    writer.flush()
    await writer.settled()
    expect(told.at(-1)).toBe('failed')
    writer.flush()
    await writer.settled()
    expect([told.at(-1), (await readDraft('a'))?.value]).toEqual(['saved', 'one'])
  })

  it('that was sent is gone, also when a write was under way', async () => {
    const { writer } = openDraft()
    writer.save('one')
    writer.flush()
    writer.save('two')
    await writer.clear()
    expect(await readDraft('a')).toBeUndefined()
  })

  describe('whose page is left before it is on disk', () => {
    /** What a start does. */
    async function startAgain(): Promise<void> {
      deviceDb.close({ disableAutoOpen: false })
      await deviceDb.open()
    }

    it('is there at the next start', async () => {
      const { writer } = openDraft()
      writer.save('the last letter')
      writer.leave()
      expect(await readDraft('a')).toBeUndefined()
      await startAgain()
      expect((await readDraft('a'))?.value).toBe('the last letter')
      expect(localStorage.getItem('beaconry-drafts')).toBeNull()
    })

    it('does not replace a newer one', async () => {
      keepLeftDraft({ key: 'a', value: 'older', savedAt: '2026-01-01T10:00:00.000Z' })
      await deviceDb.drafts.put({ key: 'a', value: 'newer', savedAt: '2026-01-01T10:00:01.000Z' })
      await startAgain()
      expect((await readDraft('a'))?.value).toBe('newer')
    })

    it('goes with its account', async () => {
      keepLeftDraft({ key: 'user:7/event/new', value: 'mine', savedAt: '2026-01-01T10:00:00.000Z' })
      keepLeftDraft({ key: 'user:70/event/new', value: 'hers', savedAt: '2026-01-01T10:00:00.000Z' })
      deleteLeftDrafts('user:7/')
      await startAgain()
      expect(await deviceDb.drafts.toCollection().primaryKeys()).toEqual(['user:70/event/new'])
    })

    it('leaves nothing behind that was saved or sent before', async () => {
      const { writer } = openDraft()
      writer.save('saved')
      writer.flush()
      await writer.settled()
      writer.leave()
      expect(localStorage.getItem('beaconry-drafts')).toBeNull()
    })
  })
})
