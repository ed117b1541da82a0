import { expect, it } from 'vitest'
import { newId } from '#shared/record/new-id.ts'
import { setPushStage } from '../../testing/push/push-stage.ts'
import { sendMessagePushKind, messagePushKind } from './message-news.ts'

const stage = await setPushStage()

it('a message that has left alerts devices without a word of it, and none when taken back', async () => {
  const bea = await stage.volunteer()
  const phone = stage.service.subscribe()
  await stage.run('tellThisPhone', { body: { token: bea.token, ...phone, expirationTime: null } })
  const send = async (text: string) => {
    const id = newId()
    const body = { id, audience: 'pending', applicationIds: [bea.id], text }
    const answer = await stage.run('sendMessage', { as: stage.olivia, params: { id: stage.eventId }, body })
    expect(answer.status).toBe(201)
    return id
  }
  const leave = async () => {
    await stage.hurry(messagePushKind)
    await stage.hurry(sendMessagePushKind)
  }
  await send('The nightingale sings at six.')
  await stage.work()
  expect(stage.messagesTo(phone)).toEqual([])
  await leave()
  expect(stage.service.complaints).toEqual([])
  expect(stage.messagesTo(phone)).toMatchObject([{ notification: { title: 'Harbor Mixer' } }])
  expect(stage.receivedBy(phone)[0]?.text).not.toContain('nightingale')

  const undone = await send('Never mind.')
  await stage.run('cancelMessage', { as: stage.olivia, params: { id: undone } })
  await leave()
  expect(stage.messagesTo(phone)).toHaveLength(1)
})
