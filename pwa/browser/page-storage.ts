import { timings } from './timings.ts'

interface Scope {
  readonly IDBFactory: typeof IDBFactory
  readonly IDBDatabase: typeof IDBDatabase
  readonly addEventListener: (type: 'pagehide' | 'pageshow' | 'visibilitychange', listener: () => void) => void
  readonly document: Pick<Document, 'addEventListener' | 'visibilityState'>
  readonly location: Pick<Location, 'reload'>
}

const tickMs = 250

let isSilent = false
const listeners = new Set<() => void>()

/** Tells whether something that this page asked of IndexedDB has waited for longer than `timings.storagePatienceMs`. */
export const storageSilence = {
  get: () => isSilent,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function setSilent(next: boolean): void {
  if (isSilent === next) return
  isSilent = next
  for (const listener of Array.from(listeners)) listener()
}

/** @returns what the storage answers; undefined when it fails, or as soon as it is silent */
export async function ifAnswered<T>(asked: Promise<T>): Promise<T | undefined> {
  let stop = () => {}
  const silent = new Promise<undefined>((resolve) => {
    const look = () => isSilent && resolve(undefined)
    stop = storageSilence.subscribe(look)
    look()
  })
  return await Promise.race([asked.catch(() => undefined), silent]).finally(stop)
}

/**
 * Resolves while the page is shown, at the latest after `limitMs`. A phone may suspend a hidden page in the middle of a
 * transaction, which then keeps others waiting.
 */
export async function whenShown(limitMs: number): Promise<void> {
  if (document.visibilityState === 'visible') return
  await new Promise<void>((resolve) => {
    setTimeout(resolve, limitMs)
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })
}

/** A transaction or an opening of a page that was left is refused with this. */
const pageLeft = () => new DOMException('The page was left before this was saved', 'AbortError')

/**
 * Knows every IndexedDB transaction and connection of the page; RxDB's and Dexie's too, because it wraps the browser's own
 * `open` and `transaction`. Call it before anything opens a database.
 *
 * When the page is left, it aborts the transactions and closes the connections. WebKit puts the page in its back-forward
 * cache with its transactions open: the next page, another tab and the service worker then wait for them, for minutes. A
 * write that was aborted rejects; nothing that awaited it was called saved.
 */
export function followPageStorage(scope: Scope = globalThis): void {
  /** Each has waited this many ticks. Time in which the page was hidden or frozen is not counted. */
  const waiting = new Map<IDBTransaction | IDBOpenDBRequest, number>()
  const connections = new Set<IDBDatabase>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLeft = false

  function tick(): void {
    timer = waiting.size > 0 ? setTimeout(tick, tickMs) : undefined
    if (scope.document.visibilityState === 'visible') for (const [one, ticks] of waiting) waiting.set(one, ticks + 1)
    setSilent([...waiting.values()].some((ticks) => ticks * tickMs >= timings.storagePatienceMs))
  }

  function follow(one: IDBTransaction | IDBOpenDBRequest, ends: readonly string[]): void {
    waiting.set(one, 0)
    timer ??= setTimeout(tick, tickMs)
    for (const end of ends) one.addEventListener(end, () => waiting.delete(one))
  }
  const followTransaction = (transaction: IDBTransaction) => follow(transaction, ['complete', 'abort'])

  function keep(connection: IDBDatabase): void {
    if (isLeft) return connection.close()
    connections.add(connection)
    connection.addEventListener('close', () => connections.delete(connection))
  }

  const { open } = scope.IDBFactory.prototype
  scope.IDBFactory.prototype.open = function (...args) {
    if (isLeft) throw pageLeft()
    const request = open.apply(this, args)
    follow(request, ['success', 'error'])
    request.addEventListener('upgradeneeded', () => {
      if (request.transaction) followTransaction(request.transaction)
    })
    request.addEventListener('success', () => keep(request.result))
    return request
  }

  const { transaction: begin } = scope.IDBDatabase.prototype
  scope.IDBDatabase.prototype.transaction = function (...args) {
    if (isLeft) throw pageLeft()
    const transaction = begin.apply(this, args)
    followTransaction(transaction)
    return transaction
  }

  scope.addEventListener('pagehide', () => {
    isLeft = true
    for (const one of waiting.keys()) if ('abort' in one) abort(one)
    for (const connection of connections) connection.close()
    waiting.clear()
    connections.clear()
  })
  // A page that comes back, from the back-forward cache or because it was never gone, has no storage: it starts again.
  const startAgain = () => {
    if (isLeft && scope.document.visibilityState === 'visible') scope.location.reload()
  }
  scope.addEventListener('pageshow', startAgain)
  scope.document.addEventListener('visibilitychange', startAgain)
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It is committing already, which needs no page.
  }
}
