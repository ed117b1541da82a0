import { defineMutation, eventTarget, ofEvent } from './mutation.ts'

export interface RemoveEventCover {
  readonly id: number
  /** The label shows it. */
  readonly name: string
}

export interface SetEventCover extends RemoveEventCover {
  /** The picture was shrunk and is base64. */
  readonly picture: string
  readonly type: string
}

export const setEventCover = defineMutation<SetEventCover>({
  ...ofEvent,
  name: 'set-event-cover',
  route: 'setEventCover',
  shape: { id: 'number', name: 'string', picture: 'string', type: 'string' },
  send: ({ id, picture }) => ({ params: { id }, body: { picture } }),
  // Only the server can name what it writes: until then the picture takes its name's place.
  fold({ events }, { id, picture, type }) {
    const document = events.get(String(id))
    if (document) events.set(document.key, { ...document, coverHash: `data:${type};base64,${picture}` })
  },
  target: ({ id }) => eventTarget(id),
  label: ({ name }) => `Upload a cover for ${name}`,
})

export const removeEventCover = defineMutation<RemoveEventCover>({
  ...ofEvent,
  name: 'remove-event-cover',
  route: 'removeEventCover',
  shape: { id: 'number', name: 'string' },
  send: ({ id }) => ({ params: { id } }),
  fold({ events }, { id }) {
    const document = events.get(String(id))
    if (document) events.set(document.key, { ...document, coverHash: undefined })
  },
  target: ({ id }) => eventTarget(id),
  label: ({ name }) => `Remove the cover of ${name}`,
})
