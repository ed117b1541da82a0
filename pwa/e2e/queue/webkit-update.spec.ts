import { mergeTests } from 'playwright/test'
import { busiestEvent, expectDecidedOnce } from '../applications/applicants.ts'
import { expect } from '../journey.ts'
import { expectText, rowOf, signIn, test as webkitTest } from '../webkit-journey.ts'
import { isBatch } from './road-journey.ts'
import { readVersion, test as deploymentTest } from './deployment.ts'

const test = mergeTests(webkitTest, deploymentTest)

test('a page in WebKit learns of a new version and takes its queue and draft along @nightly', async ({
  webkit,
  road,
  deployment,
  db,
}) => {
  const { eventId, pending } = await busiestEvent(db)
  const [ana, ben] = pending
  const typed = 'Lanterns on the Pier'
  await signIn(webkit, road.origin)
  await webkit.open(`${road.origin}/events/manage/${eventId}`)
  await expectText(webkit, 'Pending', rowOf(ana))
  road.treat((call) => (isBatch(call) ? 'reset' : 'pass'))
  await webkit.press(`[aria-label="Approve ${ana.name}"]`)
  await webkit.press(`[aria-label="Reject ${ben.name}"]`)
  await expectText(webkit, /Approved.*saved on this device/s, rowOf(ana))
  await expectText(webkit, /Rejected.*saved on this device/s, rowOf(ben))
  await webkit.open(`${road.origin}/events/create`)
  await webkit.type('form [name="name"]', typed)

  deployment.deploy()
  await webkit.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
  })
  const waiting = () => webkit.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state)
  await expect.poll(waiting).toBe('installed')
  // A new version is offered on another screen, never in the middle of one.
  const screens = ['Dashboard', 'Events']
  await expect
    .poll(async () => {
      await webkit.pressNamed('Open menu')
      await webkit.pressNamed(screens.reverse()[0] ?? '', 'header')
      return await webkit.evaluate(() => document.body.innerText)
    })
    .toContain('A new version of Beaconry is ready. What you typed is kept.')
  expect(await webkit.evaluate(readVersion), 'nothing changes by itself').toBe('1')
  await webkit.pressNamed('Update')
  await expect.poll(() => webkit.evaluate(readVersion).catch(() => 'moving')).toBe('2')

  await webkit.open(`${road.origin}/events/create`)
  const name = () =>
    webkit.evaluate(() => document.querySelector<HTMLInputElement>('form [name="name"]')?.value).catch(() => '')
  await expect.poll(name, { message: 'what was typed is there' }).toBe(typed)
  await webkit.open(`${road.origin}/events/manage/${eventId}`)
  await expectText(webkit, 'Approved', rowOf(ana))
  await expectText(webkit, 'Rejected', rowOf(ben))
  road.treat(() => 'pass')
  await expectDecidedOnce(db, ana, 'approved')
  await expectDecidedOnce(db, ben, 'rejected')
  await webkit.open(`${road.origin}/sync`)
  await expectText(webkit, 'Everything is saved online.')
})
