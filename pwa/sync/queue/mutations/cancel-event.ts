import { defineMutation, eventTarget, ofEvent } from './mutation.ts'

export interface ReinstateEvent {
  readonly id: number
  /** The label shows it. */
  readonly name: string
}

export interface CancelEvent extends ReinstateEvent {
  /** This device's clock gives it, until the server's is known. */
  readonly cancelledAt: string
}

export const cancelEvent = defineMutation<CancelEvent>({
  ...ofEvent,
  name: 'cancel-event',
  route: 'cancelEvent',
  shape: { id: 'number', name: 'string', cancelledAt: 'instant' },
  send: ({ id }) => ({ params: { id } }),
  fold({ events }, { id, cancelledAt }) {
    const document = events.get(String(id))
    if (document && document.cancelledAt === undefined) events.set(document.key, { ...document, cancelledAt })
  },
  target: ({ id }) => eventTarget(id),
  label: ({ name }) => `Cancel ${name}`,
})

export const reinstateEvent = defineMutation<ReinstateEvent>({
  ...ofEvent,
  name: 'reinstate-event',
  route: 'reinstateEvent',
  shape: { id: 'number', name: 'string' },
  send: ({ id }) => ({ params: { id } }),
  fold({ events }, { id }) {
    const document = events.get(String(id))
    if (document) events.set(document.key, { ...document, cancelledAt: undefined })
  },
  target: ({ id }) => eventTarget(id),
  label: ({ name }) => `Take back the cancellation of ${name}`,
})
