import { newId } from '#shared/record/new-id.ts'
import { mutations, outbox } from '../../sync/index.ts'
import type { ReadyFacts } from './ready-lines.ts'

const answerTimeoutMs = 3_000

/** @returns undefined when no worker is in charge, or it does not answer in time */
async function askWorker<T>(type: string, timeoutMs = answerTimeoutMs): Promise<T | undefined> {
  const worker = navigator.serviceWorker?.controller
  if (!worker) return undefined
  const { port1, port2 } = new MessageChannel()
  return await new Promise<T | undefined>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs)
    port1.onmessage = ({ data }: MessageEvent<T>) => {
      clearTimeout(timer)
      resolve(data)
    }
    worker.postMessage({ type }, [port2])
  }).finally(() => port1.close())
}

/** Tells whether the app opens without a network. */
export async function checkShell(): Promise<ReadyFacts['shell']> {
  const missing = await askWorker<number>('COUNT_MISSING')
  return { isControlled: missing !== undefined, missing: missing ?? 0 }
}

const fetchTimeoutMs = 60_000

/** @throws when files are still missing */
export async function fetchShell(): Promise<void> {
  const left = await askWorker<number>('FETCH_MISSING', fetchTimeoutMs)
  if (left !== 0) throw new Error('Not all files could be loaded. Try again where there is a network.')
}

type Rehearsed = ReadyFacts['rehearsal']['is']

/** Saves an approval of an invented applicant in the real queue with the network cut, and takes it back. */
export async function rehearse(where: {
  readonly eventId: number
  readonly userId: number
}): Promise<ReadyFacts['rehearsal']> {
  if (!(await askWorker<boolean>('CUT_NETWORK'))) return { is: 'no-worker' }
  try {
    return { is: (await opensWhileCut()) ? await rehearseApproval(where) : 'not-opened' }
  } finally {
    navigator.serviceWorker.controller?.postMessage({ type: 'RESTORE_NETWORK' })
  }
}

/** Asks for what only the server has, which proves the cut, and for the app's page, which has to come all the same. */
async function opensWhileCut(): Promise<boolean> {
  const [isCut, opens] = await Promise.all([
    fetch('/healthz', { cache: 'no-store' }).then(
      () => false,
      () => true,
    ),
    fetch('/index.html').then(
      ({ ok }) => ok,
      () => false,
    ),
  ])
  return isCut && opens
}

async function rehearseApproval({ eventId, userId }: { eventId: number; userId: number }): Promise<Rehearsed> {
  const args = {
    applicationId: newId(),
    eventId,
    name: 'an invented applicant',
    status: 'approved',
    from: 'pending',
    basis: null,
  } as const
  const isHere = async (key: string) => (await outbox.pendingFor(userId)).some((entry) => entry.key === key)
  try {
    const { seq, key } = await outbox.enqueue(mutations.decideApplication, args, { userId, rehearsal: true })
    const isSaved = await isHere(key)
    await outbox.undo(seq)
    if (await isHere(key)) return 'not-taken-back'
    return isSaved ? 'done' : 'not-saved'
  } catch {
    return 'not-saved'
  }
}
