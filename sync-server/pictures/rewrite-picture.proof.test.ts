import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PictureShape } from './picture-child.ts'
import { coverShape, createPictureQueue, faceShape, type PictureQueue } from './rewrite-picture.ts'

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f0a030' } })
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 90 } },
  })
/** Its process stays, however much it holds. */
const createLastingQueue = () => createPictureQueue({ maxRestingBytes: Infinity })
const queue = createLastingQueue()
const spent: string[] = []
const rewrite = async (bytes: Buffer | Promise<Buffer>, shape: PictureShape = coverShape, { rewrite: own } = queue) => {
  const spend = async (allowance: string, subject: string) => void spent.push(`${allowance} ${subject}`)
  return await own({ body: { picture: (await bytes).toString('base64') }, address: '::1', spend }, 'event:1', shape)
}
const text = (words: string) => Buffer.from(words, 'latin1')

/** A PNG of one pixel whose header says another size. */
async function bomb(width: number, height: number): Promise<Buffer> {
  const { crc32 } = await import('node:zlib')
  const png = await plain(1, 1).png().toBuffer()
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

describe('a picture', () => {
  it.each([
    ['JPEG', () => plain(3000, 2000).jpeg()],
    ['PNG', () => plain(200, 900).png()],
    ['WebP', () => plain(1600, 400).webp()],
  ])('from a %s file becomes WebP of the cover’s shape', async (_, make) => {
    const { body, sha256 } = await rewrite(make().toBuffer())
    expect(await sharp(body).metadata()).toMatchObject({ format: 'webp', width: 1200, height: 600 })
    expect(body.length).toBeLessThanOrEqual(80_000)
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([coverShape, faceShape])('of noise ends smaller than %j', async (shape) => {
    const { body } = await rewrite(noise(1200, 900).jpeg({ quality: 40 }).toBuffer(), shape)
    expect(body.length).toBeLessThanOrEqual(shape.maxBytes)
    expect((await sharp(body).metadata()).format).toBe('webp')
  })

  it('loses where and with what it was taken, and stands upright', async () => {
    const left = sharp({ create: { width: 40, height: 80, channels: 3, background: '#0000ff' } }).png()
    const taken = await plain(80, 80)
      .composite([{ input: await left.toBuffer(), left: 0, top: 0 }])
      .withExif({
        IFD0: { Make: 'Secret Camera' },
        IFD3: { GPSLatitude: '37/1 48/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(taken.includes('Secret Camera')).toBe(true)
    const { body } = await rewrite(taken, faceShape)
    expect(body.includes('Secret Camera')).toBe(false)
    expect(body.includes('Exif')).toBe(false)
    const { exif, orientation } = await sharp(body).metadata()
    expect([exif, orientation]).toEqual([undefined, undefined])
    const { data, info } = await sharp(body).raw().toBuffer({ resolveWithObject: true })
    const colorAt = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
    expect(colorAt(160, 40)[2], 'what was on the left is on top').toBeGreaterThan(200)
    expect(colorAt(160, 280)[2]).toBeLessThan(100)
  })

  it('keeps nothing of what hides behind its pixels', async () => {
    const script = '<script>alert(1)</script>'
    const polyglot = Buffer.concat([await plain(300, 300).jpeg().toBuffer(), text(script)])
    expect((await rewrite(polyglot)).body.includes('script')).toBe(false)
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  it.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['an SVG', () => text(svg), 'JPEG, PNG or WebP'],
    ['an SVG that begins like a JPEG', () => text(`\xFF\xD8\xFF${svg}`), 'could not be read'],
    ['a GIF', () => plain(9, 9).gif().toBuffer(), 'JPEG, PNG or WebP'],
    ['a TIFF', () => plain(9, 9).tiff().toBuffer(), 'JPEG, PNG or WebP'],
    ['a web page', () => text('<!doctype html><img src=x onerror=alert(1)>'), 'JPEG, PNG or WebP'],
    ['a bomb of 30,000 × 30,000', () => bomb(30_000, 30_000), '12 megapixels'],
    ['of 12.6 megapixels', () => plain(4200, 3000).jpeg().toBuffer(), '12 megapixels'],
    ['interlaced and of 4.2 megapixels', () => plain(2100, 2000).png({ progressive: true }).toBuffer(), '4 megapixels'],
    [
      'progressive and of 4.2 megapixels',
      () => plain(2100, 2000).jpeg({ progressive: true }).toBuffer(),
      '4 megapixels',
    ],
    ['of 16 bits and 4.2 megapixels', () => plain(2100, 2000).toColourspace('rgb16').png().toBuffer(), '4 megapixels'],
    ['half a picture', async () => (await noise(600, 600).jpeg().toBuffer()).subarray(0, 9_000), 'could not be read'],
    ['more than a megabyte', () => Buffer.alloc(1_000_001, text('\xFF\xD8\xFF')), 'larger than 1 MB'],
    ['nothing', () => Buffer.alloc(0), 'JPEG, PNG or WebP'],
  ])('that is %s is refused with its reason', async (_, make, reason) => {
    await expect(rewrite(make())).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(reason),
    })
  })
})

describe('the queue of pictures', () => {
  const small = plain(40, 40).png().toBuffer()
  const isAlive = (pid: number | undefined) => {
    try {
      return pid !== undefined && process.kill(pid, 0)
    } catch {
      return false
    }
  }

  it('takes one and four that wait, and sends the next away unpaid, to come again', async () => {
    spent.length = 0
    const five = Array.from({ length: 5 }, () => rewrite(small))
    await small
    await expect(rewrite(small)).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } })
    expect(await Promise.all(five)).toHaveLength(5)
    expect(spent.filter((one) => one === 'picture event:1')).toHaveLength(5)
    expect(spent.filter((one) => one === 'picture-address ::1')).toHaveLength(5)
    await rewrite(small)
  })

  /** A picture whose process does nothing any more: its answer and the process. */
  async function hanging(own: PictureQueue) {
    await rewrite(small, faceShape, own)
    const pid = own.childPid()!
    process.kill(pid, 'SIGSTOP')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answer = rewrite(small, faceShape, own)
    await expect.poll(vi.getTimerCount).toBe(1)
    return { answer, pid }
  }
  const tooMuch = { code: 'invalid_input', message: expect.stringContaining('too long') }
  afterEach(() => vi.useRealTimers())

  it('ends the process of a picture that takes too long, and starts another', async () => {
    const own = createLastingQueue()
    const { answer, pid } = await hanging(own)
    vi.advanceTimersByTime(10_000)
    await expect(answer).rejects.toMatchObject(tooMuch)
    vi.useRealTimers()
    await expect.poll(() => isAlive(pid)).toBe(false)
    await rewrite(small, faceShape, own)
    expect(own.childPid()).not.toBe(pid)
  })

  it('refuses the picture during which its process was killed, and starts another', async () => {
    const own = createLastingQueue()
    const { answer, pid } = await hanging(own)
    process.kill(pid, 'SIGKILL')
    await expect(answer).rejects.toMatchObject(tooMuch)
    vi.useRealTimers()
    await rewrite(small, faceShape, own)
    expect(own.childPid()).not.toBe(pid)
  })

  it('ends its process when there is nothing to do', async () => {
    const own = createPictureQueue({ idleMs: 1 })
    await rewrite(small, faceShape, own)
    const pid = own.childPid()
    await expect.poll(() => isAlive(pid)).toBe(false)
    await rewrite(small, faceShape, own)
  })

  it('tells its process none of the server’s secrets', async () => {
    // On a busy machine the picture itself may take too long.
    const rewritten = rewrite(small).catch(() => undefined)
    await expect.poll(() => queue.childPid()).toBeDefined()
    const env = readFileSync(`/proc/${queue.childPid()}/environ`, 'latin1')
    await rewritten
    expect(env).toContain('PATH=')
    expect(env).not.toContain('VITEST')
  })
})
