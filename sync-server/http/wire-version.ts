import type Koa from 'koa'
import { headers, wireVersion } from '#shared/contract/request.ts'
import { ProblemError } from '../calls/problems.ts'

/** It is raised only together with what an older app relied on. */
export const oldestWireVersion = 2

/** They tell our answers from those of something on the way, and that the database went back. */
export function setAnswerHeaders(epoch: () => string): Koa.Middleware {
  return async (ctx, next) => {
    ctx.set(headers.serverVersion, String(wireVersion))
    ctx.set(headers.epoch, epoch())
    await next()
  }
}

/** A caller without a version is not our app. */
export function refuseOldApps(oldest: number): Koa.Middleware {
  return async (ctx, next) => {
    const version = ctx.get(headers.appVersion)
    if (/^\d{1,9}$/.test(version) && Number(version) < oldest) {
      throw new ProblemError('app_too_old', 'This app is too old. Please update it.')
    }
    await next()
  }
}
