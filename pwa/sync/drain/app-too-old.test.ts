import { describe, expect, it } from 'vitest'
import type { WakeReason } from './wake.ts'
import { problem } from '../testing/model-server.ts'
import { answerOf } from '../testing/model-transport.ts'
import { phone } from '../testing/queue-phone.ts'

describe('an app that the server finds too old', () => {
  const tooOld = () => answerOf(426, [JSON.stringify(problem('app_too_old'))])

  it('says so in one request, though its page and its worker both want to send at that moment', async () => {
    const { time, network, replayer, open, states, enqueueApproval } = phone()
    network.transport = async () => tooOld()
    const worker = open('worker')
    await enqueueApproval(7)
    await time.pass(7990)
    const ends = [replayer.wake('visible'), worker.wake('sync')]
    await time.pass(10)
    // The undo window ends while both are at it.
    ends.push(replayer.wake('timer'))
    await time.pass(20_000)
    await Promise.all(ends)
    expect(network.requests).toHaveLength(1)
    expect(await states()).toEqual(['queued'])
  })

  it.each<WakeReason>(['page-start', 'activate', 'stream-opened', 'sign-in'])(
    'is tried at once on %s',
    async (reason) => {
      const { server, time, network, replayer, open, enqueueEdit, enqueueDeletion } = phone({ autoWake: false })
      network.transport = async () => tooOld()
      await enqueueDeletion()
      expect(await replayer.wake('online')).toMatchObject({ end: 'update-needed' })
      network.transport = undefined
      void open().wake(reason)
      await time.pass(10)
      expect(server.effects).toHaveLength(1)
      expect(network.requests).toHaveLength(2)
      // Nobody is held back any more by what was true before.
      await enqueueEdit()
      expect(await replayer.wake('visible')).toMatchObject({ end: 'drained' })
      expect(network.requests).toHaveLength(3)
    },
  )

  it.each<WakeReason>(['timer', 'enqueue'])('is not tried again on %s', async (reason) => {
    const { network, replayer, enqueueDeletion } = phone({ autoWake: false })
    network.transport = async () => tooOld()
    await enqueueDeletion()
    await replayer.wake('online')
    expect(await replayer.wake(reason)).toMatchObject({ end: 'update-needed' })
    expect(network.requests).toHaveLength(1)
  })
})
