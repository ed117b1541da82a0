import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { givenId } from '../events/event-calls.ts'
import { mailStates } from '../mail/mail.ts'
import { messageComplaint } from '../mail/message-text.ts'
import { isVisible } from '../text/plain-text.ts'
import { audiences, maxMessageLength, maxRecipients } from './message.ts'

/** The organizer sees this. */
const message = z.strictObject({
  id: z.int(),
  eventId: z.int(),
  audience: z.enum(audiences),
  /** The text is as it was written, with its placeholders. */
  text: z.string(),
  createdAt: z.string(),
  /** Until then it can be taken back. */
  leavesAt: z.string(),
  cancelledAt: z.string().nullable(),
  /** Names the device that it was written on, as its owner calls it. */
  device: z.string().nullable(),
  recipients: z.array(
    z.strictObject({
      applicationId: z.int(),
      /** Says how far the mail is; null means that none is kept. */
      mail: z.enum(mailStates).nullable(),
    }),
  ),
})
export type Message = z.output<typeof message>

export const messageRoutes = {
  sendMessage: {
    summary: 'Write to Beacons and applicants by mail, on their devices and on their own pages; held for a minute',
    access: 'owner',
    team: 'reviewer',
    body: z.strictObject({
      /** Without it the server makes one. */
      id: givenId.optional(),
      audience: z.enum(audiences),
      applicationIds: z.array(z.int().min(1)).min(1).max(maxRecipients),
      text: z
        .string()
        .trim()
        .refine(isVisible, 'Please write a message')
        .max(maxMessageLength, `Please keep this under ${maxMessageLength} characters`)
        .superRefine((text, { addIssue }) => {
          const complaint = messageComplaint(text)
          if (complaint) addIssue({ code: 'custom', message: complaint })
        }),
    }),
    answer: message,
    status: 201,
    queueable: true,
  },
  cancelMessage: {
    summary: 'Take a message back while it is held',
    access: 'owner',
    team: 'reviewer',
    answer: message,
    queueable: true,
  },
  listMessages: {
    summary: 'The latest hundred messages of an event, newest first, and which applicants’ devices are alerted',
    access: 'owner',
    team: 'reviewer',
    answer: z.strictObject({
      messages: z.array(message),
      /** How many devices each application has told; those without any are missing. */
      devices: z.array(z.strictObject({ applicationId: z.int(), count: z.int() })),
      /** This is the server's clock, by which `leavesAt` is to be read. */
      at: z.string(),
    }),
  },
} as const satisfies Section
