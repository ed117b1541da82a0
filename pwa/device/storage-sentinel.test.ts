import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openOutboxDatabase } from '../sync/queue/store/outbox-db.ts'
import { textStorage } from '../sync/testing/text-storage.ts'
import { findClearedStorage } from './storage-sentinel.ts'

let databases = 0
const emptyDatabase = () => openOutboxDatabase(`sentinel-test-${++databases}`)
const strangers = Promise.resolve(false)
const sessionOutlived = Promise.resolve(true)

beforeEach(() => void vi.stubGlobal('localStorage', textStorage()))
afterEach(() => vi.unstubAllGlobals())

describe('storage that the browser threw away', () => {
  it('is noticed once, when the app has run here before', async () => {
    expect(await findClearedStorage(emptyDatabase(), strangers), 'the first visit').toBe(false)
    const again = emptyDatabase()
    expect(await findClearedStorage(again, strangers)).toBe(true)
    expect(await findClearedStorage(again, strangers)).toBe(false)
  })

  it('is noticed by the session that outlived it, when nothing else was left', async () => {
    expect(await findClearedStorage(emptyDatabase(), sessionOutlived)).toBe(true)
  })

  it('is not suspected while what was saved is there, whatever the session says', async () => {
    const database = emptyDatabase()
    await findClearedStorage(database, strangers)
    expect(await findClearedStorage(database, sessionOutlived)).toBe(false)
  })

  it('is not suspected where local storage is forbidden', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new Error('denied')
      },
    })
    expect(await findClearedStorage(emptyDatabase(), strangers)).toBe(false)
  })
})
