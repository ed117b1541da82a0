import { describe, expect, it } from 'vitest'
import { stateOf } from '#shared/record/basis.ts'
import { noNetwork, olivia, approve, phone } from '../../testing/queue-phone.ts'
import { decideApplication } from './decide-application.ts'
import { basisOf } from './entry-basis.ts'

const reject = (basis: string | null = null) => ({ ...approve(7, basis), status: 'rejected' as const })
const offline = () => {
  const rig = phone({ autoWake: false })
  rig.network.transport = noNetwork
  const bases = async () => (await rig.pending()).map((entry) => basisOf(entry))
  return { ...rig, bases }
}

describe('what a change is made on', () => {
  it('is the latest change of its lane, also for two taps faster than the screen', async () => {
    const { outbox, bases, enqueueApproval } = offline()
    const first = await enqueueApproval(7)
    const second = await outbox.enqueue(decideApplication, reject(), olivia)
    await enqueueApproval(7, first.key)
    expect(await bases()).toEqual([null, first.key, second.key])
  })

  it('is what the server has said since, where the screen showed that', async () => {
    const { bases, enqueueApproval } = offline()
    await enqueueApproval(7)
    await enqueueApproval(7, stateOf('theirs'))
    expect(await bases()).toEqual([null, stateOf('theirs')])
  })

  it('passes on also what was read before a restore, and is taken back after it', async () => {
    const { outbox, bases, enqueueApproval } = offline()
    const first = await enqueueApproval(7)
    await outbox.enqueue(decideApplication, reject(stateOf(first.key)), olivia)
    expect(await outbox.undo(first.seq)).toBe('undone')
    expect(await bases()).toEqual([null])
  })
})
