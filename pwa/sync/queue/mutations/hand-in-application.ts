import { applyAsBeacon, pickApplicationFields, type ApplyAsBeacon } from './apply-as-beacon.ts'
import { defineMutation, type Target } from './mutation.ts'

export interface HandInApplication {
  /** It is as it waits on the volunteer's phone. */
  readonly application: ApplyAsBeacon
  /** That phone sends it by itself under this key. */
  readonly key: string
  readonly deviceId: string
  readonly scannedAt: string
}

/** Decisions can follow before it has left, because the volunteer's phone has made the id. */
export const handInApplication = defineMutation<HandInApplication>({
  name: 'hand-in-application',
  route: 'handInApplication',
  shape: {
    application: (value) => applyAsBeacon.accepts(value),
    key: 'string',
    deviceId: 'string',
    scannedAt: 'instant',
  },
  eventOf: ({ application }) => application.eventId,
  lane: ({ application }) => `application:${application.id}`,
  send: ({ application, key, deviceId }) => ({
    params: { id: application.eventId },
    body: { key, deviceId, application: applyAsBeacon.send({ ...application, token: undefined }).body },
  }),
  fold({ applications }, { application: { id, eventId, fields }, scannedAt }) {
    const documentKey = String(id)
    if (applications.get(documentKey)) return
    applications.set(documentKey, {
      key: documentKey,
      version: 0,
      id,
      eventId,
      ...pickApplicationFields(fields),
      status: 'pending',
      basis: null,
      decisionNumber: 0,
      decidedAt: null,
      decidedOn: null,
      withdrawnAt: null,
      decisions: [],
      note: null,
      starred: false,
      arrivedAt: null,
      createdAt: scannedAt,
    })
  },
  target: ({ application }): Target => ({ collection: 'applications', key: String(application.id), effect: 'create' }),
  label: ({ application: { fields } }) => `Add the application of ${fields.firstName} ${fields.lastName}`,
})
