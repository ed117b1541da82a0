import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isPublicAddress, publicAddressesOnly } from './public-addresses.ts'
import { sendPush } from './send-push.ts'
import webPush from 'web-push'
import { createECDH, randomBytes } from 'node:crypto'

describe('an address of the public internet', () => {
  it.each([
    '8.8.8.8',
    '142.250.74.74',
    '17.57.144.1',
    '2a00:1450:4001:81b::200a',
    '2620:149:a44::1',
    '64:ff9b::8.8.8.8',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(
    [
      '127.0.0.1 127.255.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1',
      '198.18.0.1 224.0.0.1 255.255.255.255 192.0.2.1 ::1 :: fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1',
      '::ffff:7f00:1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::10.0.0.1 2002:7f00:1:: 2001::1 2001:db8::1 localhost',
    ].flatMap((line) => line.split(' ')),
  )('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

it('a message for a name that leads to this machine connects to nothing', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const subscription = {
    endpoint: `https://localhost:${(server.address() as AddressInfo).port}/abc`,
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  const address = { vapidKeys: { publicKey, privateKey }, vapidSubject: 'mailto:push@beaconry.example' }
  const manner = { topic: 'test', timeToLiveSeconds: 60 }
  try {
    const message = {} as Parameters<typeof sendPush>[1]
    const guarded = { ...address, agent: publicAddressesOnly }
    expect(await sendPush(subscription, message, manner, guarded, new Date())).toEqual({
      outcome: 'unknown',
      reason: 'the name leads into a private network',
    })
    expect(connections).toBe(0)
    // The very same message without the guard does reach the server.
    await sendPush(subscription, message, manner, address, new Date())
    expect(connections).toBe(1)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})
