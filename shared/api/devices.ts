import * as z from 'zod'
import type { Section } from './route.ts'

const endpoint = z.string().min(1).max(1024)

export const deviceRoutes = {
  getPushKey: {
    summary: 'The public VAPID key of this server',
    access: 'user',
    answer: z.strictObject({ publicKey: z.string() }),
    status: 200,
  },
  subscribePush: {
    summary: 'Alert this device about new applications',
    access: 'user',
    body: z.strictObject({
      endpoint,
      keys: z.strictObject({ p256dh: z.string().min(80).max(100), auth: z.string().min(16).max(40) }),
      expirationTime: z.number().nullish(),
    }),
    answer: null,
    status: 204,
    repeatable: 'naturally',
  },
  unsubscribePush: {
    summary: 'Stop alerting a device',
    access: 'user',
    body: z.strictObject({ endpoint }),
    answer: null,
    status: 204,
    repeatable: 'naturally',
  },
} as const satisfies Section
