import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type Koa from 'koa'

const WORTH_IT_BYTES = 1024
const KEPT_TEXTS = 32
const LONGEST_KEPT = 256 * 1024

/** Best first: browsers accept both alike, and name gzip first. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

const compress: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => brotliAsync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => gzipAsync(text, { level: 4 }),
}

/** @returns undefined for a client that takes none */
function acceptedEncoding(ctx: Pick<Koa.Context, 'acceptsEncodings'>): Encoding | undefined {
  return encodings.find((encoding) => ctx.acceptsEncodings(encoding) === encoding)
}

/** Off the main thread; streams stay as they are, because their lines must arrive one by one. */
export function compressTexts(): Koa.Middleware<{ caller?: unknown }> {
  const kept = new Map<string, Promise<Buffer>>()

  /** Visitors get the same few texts over and over. */
  function compressOnce(text: string, encoding: Encoding): Promise<Buffer> {
    const name = encoding + text
    const known = kept.get(name)
    kept.delete(name)
    const compressed = known ?? compress[encoding](text)
    compressed.catch(() => kept.delete(name))
    kept.set(name, compressed)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_TEXTS && oldest !== undefined) kept.delete(oldest)
    return compressed
  }

  return async (ctx, next) => {
    await next()
    const { body } = ctx
    if (typeof body !== 'string' || Buffer.byteLength(body) < WORTH_IT_BYTES) return
    ctx.vary('Accept-Encoding')
    const encoding = acceptedEncoding(ctx)
    if (!encoding) return
    const type = ctx.type
    const isShared = !ctx.state.caller && body.length <= LONGEST_KEPT
    ctx.body = await (isShared ? compressOnce(body, encoding) : compress[encoding](body))
    ctx.type = type
    ctx.set('Content-Encoding', encoding)
  }
}
