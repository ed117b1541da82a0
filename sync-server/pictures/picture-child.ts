import { createHash } from 'node:crypto'
import { setPriority } from 'node:os'
import sharp, { type Sharp } from 'sharp'

/**
 * This is the program of the process that decodes pictures, one at a time, for `rewrite-picture.ts`. A hostile picture
 * can exhaust this process and nothing else: it knows no secret, yields to the server's own work and ends when it needs
 * too much memory.
 */

export interface PictureShape {
  readonly width: number
  readonly height: number
  readonly maxBytes: number
}

export interface RewrittenPicture {
  readonly body: Buffer
  readonly sha256: string
}

export interface PictureTask {
  readonly bytes: Buffer
  readonly shape: PictureShape
  /** Instead of WebP, for drawing on: JPEG is read by what draws, and a PNG of few colors is what it hands out. */
  readonly as?: 'jpeg' | 'png'
}

export interface PictureResult {
  /** The text says why the picture is refused, in words for the person who sent it. */
  readonly outcome: RewrittenPicture | string
  /** The process still holds this much on top of what it began with. */
  readonly heldBytes: number
}

const MB = 1_000_000
/** The limit counts on top of what the process begins with, which is more where it runs from its sources. */
const maxHeldBytes = 80 * MB
const maxPixels = 12 * MB
/** These are decoded as a whole, before they are made smaller. */
const maxPixelsAtOnce = 4 * MB

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
sharp.cache(false)
sharp.concurrency(1)
setPriority(10)

/** No user has this number (see `../db/embedded/run-as.ts`), nor does the embedded database. */
const unprivilegedUser = 65_530

/** Once everything is loaded: it may be in folders that only root may enter. */
function giveUpRoot(): void {
  if (process.getuid?.() !== 0) return
  try {
    process.setgroups?.([])
    process.setgid?.(unprivilegedUser)
    process.setuid?.(unprivilegedUser)
  } catch (error) {
    // A container may forbid it; the server has warned of root at its start.
    process.stderr.write(`Pictures are decoded as root: ${String(error)}\n`)
  }
}

giveUpRoot()

const memoryAtStart = process.memoryUsage.rss()
const heldBytes = () => process.memoryUsage.rss() - memoryAtStart
// Decoding happens on a thread of its own, so that this one can watch.
setInterval(() => {
  if (heldBytes() > maxHeldBytes) process.kill(process.pid, 'SIGKILL')
}, 10)

/** The first that fits is taken: even a picture of noise is not refused. */
const tries = [
  { scale: 1, quality: 80 },
  { scale: 1, quality: 60 },
  { scale: 1, quality: 40 },
  { scale: 0.5, quality: 50 },
  { scale: 0.5, quality: 20 },
  { scale: 0.25, quality: 20 },
]

const tooLarge = 'This picture has more than 12 megapixels.'

async function rewrite({ bytes, shape, as }: PictureTask): Promise<RewrittenPicture | string> {
  try {
    const { width, height, isProgressive, depth } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata()
    if (width * height > maxPixelsAtOnce && (isProgressive || depth !== 'uchar'))
      return 'This picture has more than 4 megapixels, and is interlaced or has 16 bits for each color.'
    const upright = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).rotate()
    const pixels = await upright
      .resize(shape.width, shape.height, { fit: 'cover' })
      .toColorspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { channels } = pixels.info
    const decoded = sharp(pixels.data, { raw: { width: shape.width, height: shape.height, channels } })
    if (as) {
      const written =
        as === 'jpeg' ? decoded.jpeg({ quality: 90 }) : decoded.png({ palette: true, compressionLevel: 9 })
      return hashed(await written.toBuffer())
    }
    for (const { scale, quality } of tries) {
      const body = await scaled(decoded, shape, scale).webp({ quality }).toBuffer()
      if (body.length <= shape.maxBytes) return hashed(body)
    }
    return 'This picture holds too much detail.'
  } catch (error) {
    return /exceeds pixel limit/.test(String(error)) ? tooLarge : 'This picture could not be read.'
  }
}

const hashed = (body: Buffer): RewrittenPicture => ({ body, sha256: createHash('sha256').update(body).digest('hex') })

const scaled = (decoded: Sharp, { width, height }: PictureShape, scale: number): Sharp =>
  scale === 1 ? decoded.clone() : decoded.clone().resize(Math.round(width * scale), Math.round(height * scale))

process.on('message', (task: PictureTask) => {
  void rewrite(task).then((outcome) => {
    const result: PictureResult = { outcome, heldBytes: heldBytes() }
    process.send?.(result)
  })
})
// The server has ended.
process.on('disconnect', () => process.exit())
