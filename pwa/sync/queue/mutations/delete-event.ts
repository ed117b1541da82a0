import { defineMutation, eventTarget, ofEvent, textOrNull } from './mutation.ts'

export interface DeleteEvent {
  readonly id: number
  readonly name: string
  readonly basis: string | null
}

export const deleteEvent = defineMutation<DeleteEvent>({
  ...ofEvent,
  name: 'delete-event',
  route: 'deleteEvent',
  shape: { id: 'number', name: 'string', basis: textOrNull },
  closesEvent: true,
  send: ({ id }) => ({ params: { id } }),
  fold({ events, applications }, { id }) {
    events.delete(String(id))
    for (const [key, application] of applications.entries()) {
      if (application.eventId === id) applications.delete(key)
    }
  },
  target: ({ id }) => eventTarget(id, 'delete'),
  label: ({ name }) => `Delete ${name}`,
  missingIsSuccess: true,
})
