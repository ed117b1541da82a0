import { audiences, type Audience } from '#shared/applications/message.ts'
import { timings } from '../../../browser/timings.ts'
import { defineMutation, eventTarget, oneOf } from './mutation.ts'

export interface SendMessage {
  /** Made by the device: a message that is sent twice is one. */
  readonly id: number
  readonly eventId: number
  readonly eventName: string
  readonly audience: Audience
  readonly applicationIds: readonly number[]
  readonly text: string
  readonly writtenAt: string
}

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`)

/** The event's new version settles it. */
export const sendMessage = defineMutation<SendMessage>({
  name: 'send-message',
  route: 'sendMessage',
  holdMs: timings.undoMs,
  shape: {
    id: 'number',
    eventId: 'number',
    eventName: 'string',
    audience: oneOf(audiences),
    applicationIds: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => Number.isSafeInteger(one)),
    text: 'string',
    writtenAt: 'instant',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ id }) => `message:${id}`,
  send: ({ id, eventId, audience, applicationIds, text }) => ({
    params: { id: eventId },
    body: { id, audience, applicationIds, text },
  }),
  target: ({ eventId }) => eventTarget(eventId),
  label: ({ applicationIds, eventName }) => `Message to ${people(applicationIds.length)} of ${eventName}`,
  written: ({ text }) => ({ Message: text }),
})

export interface CancelMessage {
  readonly id: number
  readonly eventId: number
  readonly eventName: string
}

/** It is in the message's lane, so that it follows what it takes back. */
export const cancelMessage = defineMutation<CancelMessage>({
  name: 'cancel-message',
  route: 'cancelMessage',
  shape: { id: 'number', eventId: 'number', eventName: 'string' },
  eventOf: ({ eventId }) => eventId,
  lane: ({ id }) => `message:${id}`,
  send: ({ id }) => ({ params: { id } }),
  target: ({ eventId }) => eventTarget(eventId),
  label: ({ eventName }) => `Take back a message to people of ${eventName}`,
})
