import { afterEach, describe, expect, it, vi } from 'vitest'
import { deviceDb } from './device-tables.ts'
import { draftWriter, readDraft } from './drafts.ts'

afterEach(async () => {
  vi.restoreAllMocks()
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
})
