import * as z from 'zod'
import { isTimeZone } from '#shared/time/event-time.ts'
import type { Section } from '../contract/route.ts'

const endpoint = z.string().min(1).max(1024)

const subscription = {
  endpoint,
  keys: z.strictObject({ p256dh: z.string().min(80).max(100), auth: z.string().min(16).max(40) }),
  expirationTime: z.number().nullish(),
}

const timeZone = z.string().max(64).refine(isTimeZone, 'This is not a time zone')
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time')

const quietHours = z
  .strictObject({ from: timeOfDay, to: timeOfDay, timeZone })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'Please choose an end that differs from the start' })

const alertedDevice = z.strictObject({
  id: z.int(),
  /** It is null when its owner never named it. */
  deviceName: z.string().nullable(),
  /** Both are ISO instants. */
  since: z.string(),
  lastDeliveredAt: z.string().nullable(),
  /** The last try did not get through. */
  failing: z.boolean(),
  /** It is true for the device of this call. */
  current: z.boolean(),
  quietHours: quietHours.nullable(),
  /** Its alerts name the person they are about. */
  showNames: z.boolean(),
})
export type AlertedDevice = z.output<typeof alertedDevice>

/** See own-application-calls.ts. */
const token = z.string().min(1).max(100)

export const deviceRoutes = {
  getPushKey: {
    summary: 'The public VAPID key of this server',
    access: 'anyone',
    answer: z.strictObject({ publicKey: z.string() }),
  },
  listAlertedDevices: {
    summary: "The caller's devices with alerts on, the present one first",
    access: 'user',
    answer: z.array(alertedDevice),
  },
  subscribePush: {
    summary: 'Alert this device about new applications; its quiet hours follow it into another time zone',
    access: 'user',
    body: z.strictObject({ ...subscription, timeZone: timeZone.optional() }),
  },
  unsubscribePush: {
    summary: 'Stop alerting a device',
    access: 'user',
    body: z.strictObject({ endpoint }),
  },
  endAlerts: { summary: "Stop alerting one of the caller's devices, from any of them", access: 'user' },
  setQuietHours: {
    summary: 'When a device is left alone: its alerts wait and come as one at the end; null for never',
    access: 'user',
    body: z.strictObject({ quietHours: quietHours.nullable() }),
    answer: alertedDevice,
  },
  setShowNames: {
    summary: 'Whether the alerts of a device name the person they are about',
    access: 'user',
    body: z.strictObject({ showNames: z.boolean() }),
    answer: alertedDevice,
  },
  sendTestAlert: {
    summary: 'Send an alert to the device that asks; its service worker tells the page of the test when it arrives',
    access: 'user',
    body: z.strictObject({ endpoint }),
    answer: z.strictObject({ testId: z.string() }),
  },
  tellThisPhone: {
    summary: 'Tell the phone of an applicant when there is news about the application',
    access: 'anyone',
    body: z.strictObject({ token, ...subscription }),
  },
  stopTellingThisPhone: {
    summary: 'Tell the phone of an applicant no more',
    access: 'anyone',
    body: z.strictObject({ token, endpoint }),
  },
} as const satisfies Section
