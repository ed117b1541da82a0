// Every change that waits in the queue is listed here. A name that a version of the app has written stays.
export { type AddWalkIn, addWalkIn } from './add-walk-in.ts'
export { type ApplyAsBeacon, applyAsBeacon } from './apply-as-beacon.ts'
export { cancelEvent, reinstateEvent } from './cancel-event.ts'
export {
  type ApplyAgain,
  type CheckIn,
  type CorrectApplication,
  type SayComing,
  type SetFace,
  type WithdrawApplication,
  applyAgain,
  checkIn,
  correctApplication,
  removeFace,
  sayComing,
  setFace,
  withdrawApplication,
} from './change-own-application.ts'
export { type CorrectEmail, correctEmail } from './correct-email.ts'
export { type CreateEvent, createEvent } from './create-event.ts'
export { type DecideApplication, decideApplication } from './decide-application.ts'
export { deleteEvent } from './delete-event.ts'
export { type CustomizeEvent, type UpdateEvent, customizeEvent, updateEvent } from './edit-event.ts'
export { type HandInApplication, handInApplication } from './hand-in-application.ts'
export { type MarkApplication, markApplication } from './mark-application.ts'
export { type RetryMail, retryMail } from './retry-mail.ts'
export { type CancelMessage, type SendMessage, cancelMessage, sendMessage } from './send-message.ts'
export { removeEventCover, setEventCover } from './set-event-cover.ts'
