import { randomUUID } from 'node:crypto'
import { headers } from '#shared/contract/request.ts'
import { beaFields } from '../sync/testing/people.ts'

/** Asks the server for a change as a page of it would, in a session where a cookie is given. */
export async function tell(
  origin: string,
  path: string,
  body: object,
  { method, cookie = '' }: { readonly method?: 'PUT' | 'PATCH' | 'DELETE'; readonly cookie?: string } = {},
): Promise<Response> {
  const answer = await fetch(origin + path, {
    method: method ?? 'POST',
    headers: { 'content-type': 'application/json', origin, cookie, [headers.idempotencyKey]: randomUUID() },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
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
