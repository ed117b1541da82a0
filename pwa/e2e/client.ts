import { randomUUID } from 'node:crypto'
import { headers } from '#shared/contract/request.ts'
import { beaFields } from '../sync/testing/people.ts'

interface Told {
  readonly method?: 'PUT' | 'PATCH' | 'DELETE'
  readonly cookie?: string
  /** The name of the device that asks. */
  readonly device?: string
}

/** Asks the server for a change as a page of it would, in a session where a cookie is given. */
export async function tell(
  origin: string,
  path: string,
  body: object,
  { method, cookie = '', device }: Told = {},
): Promise<Response> {
  const answer = await fetch(origin + path, {
    method: method ?? 'POST',
    headers: {
      'content-type': 'application/json',
      origin,
      cookie,
      [headers.idempotencyKey]: randomUUID(),
      ...(device && { [headers.deviceId]: device, [headers.deviceName]: device }),
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

export type Api = (path: string, body: object, options?: Told) => Promise<Response>

/** Signs somebody in without a page. */
export async function apiOf(origin: string, { email, password }: { email: string; password: string }): Promise<Api> {
  const answer = await tell(origin, '/api/login', { email, password })
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return async (path, body, options) => await tell(origin, path, body, { cookie, ...options })
}

/** An organizer decides without a page. */
export async function decideByCall(api: Api, id: number, status: 'approved' | 'rejected', device?: string) {
  await api(`/api/beacons/${id}/status`, { status }, { method: 'PATCH', ...(device && { device }) })
}

/** A stranger applies, as Bea where nothing else is said, and answers every question of the event. */
export async function applyByCall(
  origin: string,
  eventId: number,
  fields: Partial<typeof beaFields> & { readonly email: string },
): Promise<{ id: number; token: string }> {
  const event = await fetch(`${origin}/api/events/${eventId}`)
  const { customQuestions } = (await event.json()) as { customQuestions: string[] }
  const customAnswers = customQuestions.map((question) => ({ question, answer: 'Gladly, and in Spanish too.' }))
  const body = { ...beaFields, ...fields, customAnswers, filledInMs: 60_000 }
  return (await (await tell(origin, `/api/events/${eventId}/beacons`, body)).json()) as { id: number; token: string }
}
