import { endpoints, type EndpointName } from '#shared/contract/endpoints.ts'
import {
  call,
  describeSender,
  senderOf,
  Unreachable,
  onKeptData,
  pendingEntries,
  replicaState,
  fetchReplica,
} from '../sync/index.ts'
import { isKeptHere } from '../device/kept-here.ts'
import { sessionState } from '../device/session/session-state.ts'
import { fetchToasts } from '../ui/toaster.tsx'
import { copyAhead } from './read-ahead.ts'

let started: Promise<void> | undefined
/** The server's answer; valid only as long as nothing is stored on this device, in another tab too. */
let hasNoSession = false

function startAll(): Promise<void> {
  started ??= import('./background-work.ts').then(
    ({ startBackgroundWork }) => {
      fetchToasts()
      startBackgroundWork({ hasNoSession })
    },
    (error: unknown) => {
      started = undefined
      throw error
    },
  )
  return started
}

/**
 * Starts the background work. Where nothing is stored on the device, only the session is asked for: Dexie, the queue and
 * what depends on them load once something is stored (here or in another tab) or sent.
 */
export async function begin(): Promise<void> {
  if (await isKeptHere()) {
    void import('../device/device-tables.ts').then(({ deviceDb }) => deviceDb.open()).catch(() => undefined)
    void openAhead().catch(() => undefined)
    await startAll()
    return
  }
  onKeptData((where) => void (where === 'here' ? startAll() : restart()).catch(() => undefined))
  describeSender(async (name) => {
    if (isQuestion(name)) return null
    // A call that changes something names its device, and a pending logout goes first.
    await startAll().catch((error: unknown) => {
      throw new Unreachable(error)
    })
    return await senderOf(name)
  })
  document.addEventListener('visibilitychange', () => void recheckDevice().catch(() => undefined))
  await checkSession()
}

/** Resolves when a screen can be drawn from this device's copy, or there is no account. */
export function whenCopyIsRead(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { state } = sessionState.get()
      if (state === 'loading' || (state !== 'signed-out' && replicaState.get().status !== 'ready')) return
      for (const stop of stops) stop()
      resolve()
    }
    const stops = [sessionState.subscribe(look), replicaState.subscribe(look)]
  })
}

async function openAhead(): Promise<void> {
  if (await copyAhead) await (await fetchReplica()).openSyncMeta()
}

const isQuestion = (name: EndpointName) => endpoints[name].startsWith('GET ')

async function checkSession(): Promise<void> {
  try {
    const { signedIn } = await call('findSession')
    if (signedIn) {
      await startAll()
      return
    }
    hasNoSession = true
  } catch {
    // Without an answer it is unknown whether there is a session.
  }
  // A screen may have started the work meanwhile; it then asks for the session itself, unless there is known to be none.
  if (started && !hasNoSession) return
  if (!started) pendingEntries.set({ read: true, account: [], visitor: [] })
  if (sessionState.get().state === 'loading') sessionState.set({ state: 'signed-out', user: null })
}

/** A suspended tab may have missed that another one stored something. */
async function recheckDevice(): Promise<void> {
  if (document.visibilityState !== 'visible' || started || !(await isKeptHere())) return
  await restart()
}

async function restart(): Promise<void> {
  if (started) return
  hasNoSession = false
  sessionState.set({ state: 'loading', user: null })
  await startAll()
}
