import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type Koa from 'koa'

const gzipAsync = promisify(gzip)
const WORTH_IT_BYTES = 1024

/** Gzips finished texts, off the main thread; a stream is left alone, its lines shall arrive one by one. */
export const compressTexts: Koa.Middleware = async (ctx, next) => {
  await next()
  const { body } = ctx
  if (typeof body !== 'string' || Buffer.byteLength(body) < WORTH_IT_BYTES) return
  ctx.vary('Accept-Encoding')
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return
  const type = ctx.type
  ctx.body = await gzipAsync(body, { level: 4 })
  ctx.type = type
  ctx.set('Content-Encoding', 'gzip')
}
