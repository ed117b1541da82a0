import { signInProblem } from '../calls/access.ts'
import type { ApiContext } from '../http/mount.ts'
import type { RouteCall } from '../calls/call.ts'
import { ProblemError } from '../calls/problems.ts'
import type { LiveStreams } from './live-stream.ts'

/** GET /api/sync/stream: takes the response over from Koa for as long as the stream lives. */
export function openStream(streams: LiveStreams, isDraining: () => boolean) {
  return async (ctx: ApiContext, { caller, signedOut }: RouteCall): Promise<void> => {
    if (!caller) throw signInProblem(signedOut)
    if (isDraining()) throw new ProblemError('unavailable', 'The server is about to restart.', { retryAfterSeconds: 2 })
    ctx.respond = false
    await streams.open(ctx.res, caller.userId, ctx.state.sessionHash)
  }
}
