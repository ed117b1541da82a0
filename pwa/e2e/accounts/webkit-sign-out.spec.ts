import { busiestEvent, decisionOf } from '../applications/applicants.ts'
import { expect, olivia } from '../journey.ts'
import { expectText, rowOf, signIn, test } from '../webkit-journey.ts'
import { readStorage } from './everything-kept.ts'

test('signing out of WebKit offline discards a change and leaves nothing @nightly', async ({ webkit, server, db }) => {
  const { eventId, pending } = await busiestEvent(db)
  const [ana] = pending
  const { email, phone } = (await db('applications').where({ id: ana.id }).first('email', 'phone'))!
  const manage = `${server.origin}/events/manage/${eventId}`
  await signIn(webkit, server.origin)
  await webkit.open(manage)
  await expectText(webkit, 'Pending', rowOf(ana))
  await server.kill()
  await webkit.press(`[aria-label="Approve ${ana.name}"]`)
  await expectText(webkit, /Approved.*saved on this device/s, rowOf(ana))
  const left = async () => {
    const kept = (await webkit.evaluate(readStorage)) + (await webkit.evaluate(() => document.body.innerText))
    return [olivia.email, email, phone].filter((text) => text !== null && kept.includes(text))
  }
  expect(await left(), 'the search finds what is there').toContain(email)

  await webkit.pressNamed('Open menu')
  await webkit.pressNamed('Sign Out', 'header')
  await expectText(webkit, '1 change has not reached our server', 'dialog[open]')
  await webkit.pressNamed('Discard and sign out', 'dialog[open]')
  await expectText(webkit, 'You have been successfully logged out.')
  await expect.poll(left).toEqual([])
  for (const address of [manage, `${server.origin}/dashboard`]) {
    await webkit.open(address)
    await expectText(webkit, 'Sign In', 'main')
    expect(await left(), `${address} shows nothing`).toEqual([])
  }

  await server.start()
  await signIn(webkit, server.origin)
  await webkit.open(manage)
  await expectText(webkit, 'Pending', rowOf(ana))
  const { decisionNumber } = ana
  expect(await decisionOf(db, ana), 'what was discarded never leaves').toEqual({ status: 'pending', decisionNumber })
})
