import { argsOf, foldedView, mutations, outbox, serverNow } from '../../sync/index.ts'
import type { Carried } from './sealed-application.ts'

/** It says what became of a scanned application, and names its applicant. */
export interface HandedIn {
  readonly outcome: 'added' | 'here' | 'applied' | 'refused'
  readonly name: string
}

/** The application is kept on this device, once, and this device sends it. */
export async function handIn(carried: Carried, userId: number): Promise<HandedIn> {
  const { id, eventId, fields } = carried.application
  const name = `${fields.firstName} ${fields.lastName}`.trim()
  const here = foldedView.get().applicationsOf(eventId)
  if (here.some(({ application }) => application.id === id)) return { outcome: 'here', name }
  const email = fields.email.toLowerCase()
  if (here.some(({ application }) => application.email.toLowerCase() === email)) return { outcome: 'applied', name }
  const waiting = await outbox.pendingFor(userId)
  const earlier = waiting.find((entry) => argsOf(entry, mutations.handInApplication)?.key === carried.key)
  if (earlier) return { outcome: earlier.state === 'parked' ? 'refused' : 'here', name }
  const args = { ...carried, scannedAt: serverNow().toISOString() }
  await outbox.enqueue(mutations.handInApplication, args, { userId })
  return { outcome: 'added', name }
}
