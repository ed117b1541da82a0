import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { refusedField } from '../calls/problems.ts'

export interface PictureShape {
  readonly width: number
  readonly height: number
  readonly mostBytes: number
}

export const coverShape: PictureShape = { width: 1200, height: 600, mostBytes: 80_000 }
export const faceShape: PictureShape = { width: 320, height: 320, mostBytes: 25_000 }

export interface RewrittenPicture {
  readonly body: Buffer
  readonly sha256: string
}

const mostInputBytes = 1_000_000
/** More than phones take; a bomb of 30,000 × 30,000 is refused by its header. */
const mostInputPixels = 24_000_000

const readers = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp']

/** With the first picture: its native library is an eighth of a server's start. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: readers })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
let loading: ReturnType<typeof loadSharp> | undefined

const startsAs = (bytes: Buffer, text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text

function isKnownKind(bytes: Buffer): boolean {
  if (startsAs(bytes, 'ÿØÿ') || startsAs(bytes, '\x89PNG\r\n\x1a\n')) return true
  return startsAs(bytes, 'RIFF') && startsAs(bytes, 'WEBP', 8)
}

/** The first that fits is taken: even a picture of noise is not refused. */
const tries = [
  { scale: 1, quality: 80 },
  { scale: 1, quality: 60 },
  { scale: 1, quality: 40 },
  { scale: 0.5, quality: 50 },
  { scale: 0.5, quality: 20 },
  { scale: 0.25, quality: 20 },
]

/**
 * Decodes and writes anew, upright, so that nothing of the upload but its pixels is ever served. Its stated type counts
 * for nothing. Throws `invalid_input`.
 * @param base64 of a JPEG, PNG or WebP file
 */
export async function rewritePicture(base64: string, shape: PictureShape): Promise<RewrittenPicture> {
  const given = Buffer.from(base64, 'base64')
  if (given.length > mostInputBytes) throw refused('This picture is larger than 1 MB.')
  if (!isKnownKind(given)) throw refused('Please choose a picture in JPEG, PNG or WebP format.')
  const sharp = await (loading ??= loadSharp())
  try {
    const upright = sharp(given, { limitInputPixels: mostInputPixels, failOn: 'error' }).rotate()
    const pixels = await upright
      .resize(shape.width, shape.height, { fit: 'cover' })
      .toColorspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = pixels.info
    const decoded = sharp(pixels.data, { raw: { width, height, channels } })
    for (const { scale, quality } of tries) {
      const body = await scaled(decoded, shape, scale).webp({ quality }).toBuffer()
      if (body.length <= shape.mostBytes) return { body, sha256: createHash('sha256').update(body).digest('hex') }
    }
  } catch (error) {
    if (/exceeds pixel limit/.test(String(error))) throw refused('This picture has more than 24 megapixels.')
    throw refused('This picture could not be read.')
  }
  throw refused('This picture holds too much detail.')
}

const scaled = (decoded: Sharp, { width, height }: PictureShape, scale: number): Sharp =>
  scale === 1 ? decoded.clone() : decoded.clone().resize(Math.round(width * scale), Math.round(height * scale))

const refused = (message: string) => refusedField('invalid_input', 'picture', message)
