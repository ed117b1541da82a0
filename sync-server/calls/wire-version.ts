import type Koa from 'koa'
import { headers, wireVersion } from '#shared/contract/request.ts'
import { ProblemError } from './problems.ts'

/** The oldest version of the contract this server still speaks. Raised only together with what an older app relied on. */
export const oldestWireVersion = 1

/**
 * Puts our mark on every answer, so that an app can tell it from one that something on the way has made, and the epoch, by
 * which a device without an account learns that the database went back.
 */
export function markAnswers(epoch: () => string): Koa.Middleware {
  return async (ctx, next) => {
    ctx.set(headers.mark, String(wireVersion))
    ctx.set(headers.epoch, epoch())
    await next()
  }
}

/** Refuses (426) calls of our own app when it is older than `oldest`. A caller that names no version is not our app. */
export function refuseOldApps(oldest: number): Koa.Middleware {
  return async (ctx, next) => {
    const version = ctx.get(headers.appVersion)
    if (/^\d{1,9}$/.test(version) && Number(version) < oldest) {
      throw new ProblemError('app_too_old', 'This app is too old. Please update it.')
    }
    await next()
  }
}
