import type { Handlers } from '../calls/handler.ts'
import { browserErrors } from '../http/operation.ts'

export const browserErrorHandlers = {
  reportErrors: async ({ body, log, spend, address }) => {
    await spend('error-report', address, body.errors.length)
    for (const { times, ...error } of body.errors) {
      log.warn({ error, times }, 'a page failed in a browser')
      browserErrors.inc(times)
    }
    return undefined
  },
} satisfies Partial<Handlers>
