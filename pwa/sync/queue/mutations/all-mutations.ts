// Every change that waits in the queue. A name that a version of the app has written stays.
export { type ApplyAsBeacon, applyAsBeacon } from './apply-as-beacon.ts'
export {
  type CorrectApplication,
  type SayComing,
  type SetFace,
  type WithdrawApplication,
  correctApplication,
  removeFace,
  sayComing,
  setFace,
  withdrawApplication,
} from './change-own-application.ts'
export { type CreateEvent, createEvent } from './create-event.ts'
export { type DecideApplication, decideApplication } from './decide-application.ts'
export { deleteEvent } from './delete-event.ts'
export { type CustomizeEvent, type UpdateEvent, customizeEvent, updateEvent } from './edit-event.ts'
export { type MarkApplication, markApplication } from './mark-application.ts'
export { type RetryMail, retryMail } from './retry-mail.ts'
export { removeEventCover, setEventCover } from './set-event-cover.ts'
