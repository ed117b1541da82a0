import { pickCustomizationFields, pickEventFields } from '#shared/events/event-record.ts'
import type { Decision } from '#shared/applications/decide.ts'
import { newId } from '#shared/record/new-id.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { createEvent } from '../../queue/mutations/create-event.ts'
import { customizeEvent, updateEvent } from '../../queue/mutations/edit-event.ts'
import { decideApplication } from '../../queue/mutations/decide-application.ts'
import { deleteEvent } from '../../queue/mutations/delete-event.ts'
import { markApplication } from '../../queue/mutations/mark-application.ts'
import type { OrganizerPhone } from '../chaos/phone.ts'
import { decisionOn } from '../people.ts'
import { appliedBefore, apply, deliverMails, questions, settled, type Scene } from './restored-scene.ts'

/** An organizer creates an event that is like another one but for its name; answers its id. */
async function found(phone: OrganizerPhone, pattern: EventDocument, name: string): Promise<number> {
  const { userId } = phone
  const id = newId()
  const made = { organizerId: userId, timeZone: pattern.timeZone, createdAt: new Date().toISOString() }
  const fields = { ...pickEventFields(pattern), name }
  await phone.outbox.enqueue(createEvent, { id, ...made, fields }, { userId })
  return id
}

/** An organizer decides on what their device knows. */
const decide = ({ outbox, userId }: OrganizerPhone, application: ApplicationDocument, status: Decision) =>
  outbox.enqueue(decideApplication, decisionOn(application, status), { userId })

/** The hour whose end nobody has a backup of. */
export async function liveAnHour(scene: Scene): Promise<void> {
  const { organizers, volunteers, eventId } = scene
  const founder = organizers[0]!
  const pattern = founder.replica.shown().events.find(({ id }) => id === eventId)!
  const foundedId = await found(founder, pattern, 'Founded in the lost hour')
  await founder.outbox.enqueue(
    customizeEvent,
    {
      id: eventId,
      name: pattern.name,
      fields: { ...pickCustomizationFields(pattern), customQuestions: [questions.after] },
      basis: pattern.basis,
    },
    { userId: founder.userId },
  )
  await settled(scene)
  for (const [index, phone] of volunteers.entries())
    if (index >= appliedBefore)
      await (index % 3 === 0 ? apply(phone, index, foundedId) : apply(phone, index, eventId, questions.after))
  await settled(scene)
  for (const [index, phone] of organizers.entries()) {
    const mine = phone.replica.shown().applications.filter(({ email }) => email.startsWith('bo-'))
    const application = mine.find(({ email }) => email === `bo-${index + 4}@example.com`)!
    await decide(phone, application, index % 2 === 0 ? 'approved' : 'rejected')
    const about = { applicationId: application.id, eventId: application.eventId, name: application.firstName }
    const { userId, outbox } = phone
    await outbox.enqueue(markApplication, { ...about, note: `note of ${phone.name}` }, { userId })
  }
  await settled(scene)
  // A second thought of another device, which can only come after the first one.
  const [first, second] = [organizers[0]!, organizers[1]!]
  const again = second.replica.shown().applications.find(({ email }) => email === 'bo-4@example.com')!
  await decide(second, again, 'rejected')
  // Made on a device that comes back late, called off on one that comes back early.
  const nameOff = 'Called off in the lost hour'
  const calledOffId = await found(founder, pattern, nameOff)
  await settled(scene)
  const caller = organizers.at(-1)!
  const { basis } = caller.replica.shown().events.find(({ id }) => id === calledOffId)!
  await caller.outbox.enqueue(deleteEvent, { id: calledOffId, name: nameOff, basis }, { userId: caller.userId })
  await settled(scene)
  const edited = first.replica.shown().events.find(({ id }) => id === eventId)!
  await first.outbox.enqueue(
    updateEvent,
    {
      id: eventId,
      fields: { ...pickEventFields(edited), description: 'As it was at the end' },
      basis: edited.basis,
    },
    { userId: first.userId },
  )
  await settled(scene)
  await deliverMails(scene)
}
