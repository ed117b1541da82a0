import { endpoints, type EndpointName } from '#shared/contract/endpoints.ts'
import { call, describeSender, senderOf, Unreachable } from '../api/call.ts'
import { isKeptHere } from '../device/kept-here.ts'
import { onKeeping } from '../outbox/store/keeping.ts'
import { pendingEntries } from '../replica/view/pending-entries.ts'
import { isReplica } from '../replica/store/replica-names.ts'
import { sessionState } from '../session/session-state.ts'
import { fetchToasts } from '../ui/toaster.tsx'

let whole: Promise<void> | undefined
/** The server said that it knows no session, and nothing was kept here since. */
let isStranger = false

/** Everything that goes on behind the screens, with the databases it needs. Once. */
function startWhole(): Promise<void> {
  whole ??= import('./start.ts').then(
    ({ start }) => {
      fetchToasts()
      start({ isStranger })
    },
    (error: unknown) => {
      whole = undefined
      throw error
    },
  )
  return whole
}

/**
 * Starts what goes on behind the screens. A visitor on whose device nothing is kept has no queue to send, no account to follow
 * and nothing to lose: such a visit needs to know only whether the server remembers a session. Dexie, the queue and all that
 * hangs on them come the moment something is to be kept, here or in another tab, or said to the server.
 */
export async function begin(): Promise<void> {
  if (await isKeptHere()) {
    void fetchReplicaAhead().catch(() => undefined)
    await startWhole()
    return
  }
  onKeeping((where) => void (where === 'here' ? startWhole() : startAnew()).catch(() => undefined))
  describeSender(async (name) => {
    if (isQuestion(name)) return null
    // Whoever changes something is known by device, and a sign-out that is owed goes first.
    await startWhole().catch((error: unknown) => {
      throw new Unreachable(error)
    })
    return await senderOf(name)
  })
  document.addEventListener('visibilitychange', () => void lookAgain().catch(() => undefined))
  await visit()
}

/**
 * Where an account was followed it most likely is again: what reads its replica is fetched beside all else, not after it.
 * Elsewhere, and where the browser does not name its databases, it waits for someone who is signed in.
 */
async function fetchReplicaAhead(): Promise<void> {
  const databases = await indexedDB.databases()
  if (databases.some(({ name }) => name !== undefined && isReplica(name)))
    await import('../replica/store/open-replica.ts')
}

const isQuestion = (name: EndpointName) => endpoints[name].startsWith('GET ')

async function visit(): Promise<void> {
  try {
    const { signedIn } = await call('findSession')
    if (signedIn) {
      await startWhole()
      return
    }
    isStranger = true
  } catch {
    // Without an answer nobody is known to be signed in, and somebody may be.
  }
  // A screen may have begun to keep something meanwhile; whoever it started asks nobody what is known here already.
  if (whole && !isStranger) return
  if (!whole) pendingEntries.set({ read: true, account: [], visitor: [] })
  if (sessionState.get().state === 'loading') sessionState.set({ state: 'signed-out', user: null })
}

/** A tab that was asleep may have missed what another one did. */
async function lookAgain(): Promise<void> {
  if (document.visibilityState !== 'visible' || whole || !(await isKeptHere())) return
  await startAnew()
}

/** Something was kept elsewhere: who is signed in must be asked of the device again. */
async function startAnew(): Promise<void> {
  if (whole) return
  isStranger = false
  sessionState.set({ state: 'loading', user: null })
  await startWhole()
}
