import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type Koa from 'koa'

const gzipAsync = promisify(gzip)
const WORTH_IT_BYTES = 1024
const KEPT_TEXTS = 32
const LONGEST_KEPT = 256 * 1024

/** Off the main thread; streams stay as they are, because their lines must arrive one by one. */
export function compressTexts(): Koa.Middleware<{ caller?: unknown }> {
  const kept = new Map<string, Promise<Buffer>>()

  /** Visitors get the same few texts over and over. */
  function compressOnce(text: string): Promise<Buffer> {
    const known = kept.get(text)
    kept.delete(text)
    const compressed = known ?? gzipAsync(text, { level: 4 })
    compressed.catch(() => kept.delete(text))
    kept.set(text, compressed)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_TEXTS && oldest !== undefined) kept.delete(oldest)
    return compressed
  }

  return async (ctx, next) => {
    await next()
    const { body } = ctx
    if (typeof body !== 'string' || Buffer.byteLength(body) < WORTH_IT_BYTES) return
    ctx.vary('Accept-Encoding')
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return
    const type = ctx.type
    const isShared = !ctx.state.caller && body.length <= LONGEST_KEPT
    ctx.body = await (isShared ? compressOnce(body) : gzipAsync(body, { level: 4 }))
    ctx.type = type
    ctx.set('Content-Encoding', 'gzip')
  }
}
