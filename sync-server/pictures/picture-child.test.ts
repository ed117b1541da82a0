import sharp from 'sharp'
import { expect, it } from 'vitest'
import { userOf } from '../testing/embedded-stage.ts'
import { coverShape, createPictureQueue } from './rewrite-picture.ts'

it('decodes as a user without rights where the server runs as root', async () => {
  const queue = createPictureQueue()
  const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#f0a030' } })
    .png()
    .toBuffer()
  const call = { body: { picture: bytes.toString('base64') }, address: '::1', spend: async () => undefined }
  const { body } = await queue.rewrite(call, 'event:1', coverShape)
  expect((await sharp(body).metadata()).format).toBe('webp')
  const pid = queue.childPid()!
  const user = process.getuid?.()
  expect(userOf(pid)).toBe(user === 0 ? 65_530 : user)
  process.kill(pid, 'SIGKILL')
})
