import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followPageStorage, ifAnswered, storageSilence, whenShown } from './page-storage.ts'
import { timings } from './timings.ts'

const { open } = IDBFactory.prototype
const { transaction } = IDBDatabase.prototype
let page: { leave(): void; comeBack(): void; reload: ReturnType<typeof vi.fn> }
let name = ''

beforeEach(() => {
  name = `left-${crypto.randomUUID()}`
  const events = new EventTarget()
  const reload = vi.fn()
  const document = { addEventListener: events.addEventListener.bind(events), visibilityState: 'visible' as const }
  const { addEventListener } = document
  followPageStorage({ IDBFactory, IDBDatabase, addEventListener, document, location: { reload } } as never)
  const tell = (type: string) => events.dispatchEvent(new Event(type))
  page = { leave: () => void tell('pagehide'), comeBack: () => void tell('pageshow'), reload }
})
afterEach(() => {
  // Closes what the test has opened.
  page.leave()
  vi.useRealTimers()
  IDBFactory.prototype.open = open
  IDBDatabase.prototype.transaction = transaction
})

function opened(whileMade = () => {}): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('things')
      whileMade()
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('not opened'))
  })
}

/** Writes again and again, so that the transaction stays open. @returns how it ends */
function writeOn(database: IDBDatabase): Promise<string> {
  return new Promise((resolve) => {
    const writing = database.transaction('things', 'readwrite')
    const put = () => (writing.objectStore('things').put('x', 1).onsuccess = put)
    writing.onabort = () => resolve('aborted')
    writing.oncomplete = () => resolve('complete')
    put()
  })
}

/** @returns whether a connection was in the way */
function deleteIt(): Promise<string> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name)
    request.onblocked = () => resolve('blocked')
    request.onsuccess = () => resolve('deleted')
  })
}

it('aborts what is being written and closes every connection when the page is left', async () => {
  const ends = writeOn(await opened())
  await opened()
  page.leave()
  expect(await ends).toBe('aborted')
  expect(await deleteIt()).toBe('deleted')
})

it('aborts the creation of a database', async () => {
  await expect(opened(page.leave)).rejects.toThrow(/abort/i)
  expect(await deleteIt()).toBe('deleted')
})

it('closes what opens only after the page was left', async () => {
  const first = await opened()
  first.close()
  const opening = opened()
  page.leave()
  await opening
  expect(await deleteIt()).toBe('deleted')
})

it('refuses to open or to write once the page was left', async () => {
  const database = await opened()
  page.leave()
  expect(() => database.transaction('things')).toThrow('The page was left before this was saved')
  expect(() => indexedDB.open(name)).toThrow('The page was left before this was saved')
})

it('loads the page again when it comes back, and only then', async () => {
  await opened()
  page.comeBack()
  expect(page.reload).not.toHaveBeenCalled()
  page.leave()
  page.comeBack()
  expect(page.reload).toHaveBeenCalledOnce()
})

it('says that the storage is silent while a transaction waits for longer than people do', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const database = await opened()
  const held = database.transaction('things', 'readwrite')
  let letGo = false
  const askOn = () => (held.objectStore('things').count().onsuccess = () => void (letGo || askOn()))
  askOn()
  await vi.advanceTimersByTimeAsync(timings.storagePatienceMs - 500)
  expect(storageSilence.get()).toBe(false)
  const answer = ifAnswered(new Promise<never>(() => undefined))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(storageSilence.get()).toBe(true)
  expect(await answer).toBeUndefined()
  letGo = true
  await new Promise<void>((resolve) => (held.oncomplete = () => resolve()))
  await vi.advanceTimersByTimeAsync(500)
  expect(storageSilence.get()).toBe(false)
  expect(await ifAnswered(Promise.resolve('an answer'))).toBe('an answer')
  expect(await ifAnswered(Promise.reject(new Error('refused')))).toBeUndefined()
})

it('waits with what is long until the page is shown, and not for ever', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const events = new EventTarget()
  const document = { addEventListener: events.addEventListener.bind(events), visibilityState: 'hidden' }
  vi.stubGlobal('document', document)
  const began: string[] = []
  void whenShown(5_000).then(() => began.push('after a while'))
  await vi.advanceTimersByTimeAsync(4_000)
  void whenShown(5_000).then(() => began.push('when shown'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(began).toEqual(['after a while'])
  events.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(began).toEqual(['after a while', 'when shown'])
  vi.unstubAllGlobals()
})
