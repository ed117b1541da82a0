import type { User } from '#shared/accounts/account-calls.ts'
import { endpoints, type EndpointName } from '#shared/contract/endpoints.ts'
import { call, describeSender, Unreachable, pendingEntries, replicaState, openCopyAhead } from '../sync/index.ts'
import { onKeptData } from '../browser/keeping.ts'
import { isKeptHere } from '../browser/kept-here.ts'
import { sessionState } from '../device/session/session-state.ts'
import type * as BackgroundWork from './background-work.ts'
import { fetchToasts } from '../ui/toaster.tsx'

type Started = typeof BackgroundWork

let started: Promise<Started> | undefined
/**
 * The server has just named this user. Null means a visitor, which is valid only as long as nothing is stored on this
 * device, in another tab too. Undefined means that it is still to be asked.
 */
let answered: User | null | undefined

function startAll(): Promise<Started> {
  started ??= import('./background-work.ts').then(
    (work) => {
      fetchToasts()
      work.startBackgroundWork(answered)
      return work
    },
    (error: unknown) => {
      started = undefined
      throw error
    },
  )
  return started
}

/**
 * Starts the background work. Where nothing is stored on the device, only the session is asked for: Dexie, the queue
 * and what depends on them load once something is stored (here or in another tab) or sent.
 */
export async function begin(): Promise<void> {
  if (await isKeptHere()) {
    void import('../device/device-tables.ts').then(({ deviceDb }) => deviceDb.open()).catch(() => undefined)
    void openCopyAhead().catch(() => undefined)
    await startAll()
    return
  }
  onKeptData((where) => void (where === 'here' ? startAll() : restart()).catch(() => undefined))
  describeSender(async (name) => {
    if (isQuestion(name)) return null
    // A call that changes something names its device, and a pending logout goes first.
    const { senderOf } = await startAll().catch((error: unknown) => {
      throw new Unreachable(error)
    })
    return await senderOf(name)
  })
  document.addEventListener('visibilitychange', () => void recheckDevice().catch(() => undefined))
  await checkSession()
}

/** Resolves when a screen can be drawn from this device's copy and queue, or there is no account. */
export function whenCopyIsRead(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { state } = sessionState.get()
      const isRead = replicaState.get().status === 'ready' && pendingEntries.get().read
      if (state === 'loading' || (state !== 'signed-out' && !isRead)) return
      for (const stop of stops) stop()
      resolve()
    }
    const stops = [sessionState.subscribe(look), replicaState.subscribe(look), pendingEntries.subscribe(look)]
  })
}

const isQuestion = (name: EndpointName) => endpoints[name].startsWith('GET ')

async function checkSession(): Promise<void> {
  try {
    const { user } = await call('findSession')
    answered = user
    if (user) {
      void openCopyAhead({ isSignedIn: true }).catch(() => undefined)
      await startAll()
      return
    }
  } catch {
    // Without an answer it is unknown whether there is a session.
  }
  // A screen may have started the work by now; it then asks for the session itself, unless there is known to be none.
  if (started && answered === undefined) return
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
  answered = undefined
  sessionState.set({ state: 'loading', user: null })
  await startAll()
}
