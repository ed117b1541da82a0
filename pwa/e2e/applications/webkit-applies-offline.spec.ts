import { readFileSync } from 'node:fs'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { expect } from '../journey.ts'
import { expectKeptForOffline, expectText, signIn, test } from '../webkit-journey.ts'
import { holdOn } from './applicants.ts'
import { bea, openEvent } from './application-form.ts'

test('a WebKit application outlives a reload, arrives once, and its code is sealed and opened @nightly', async ({
  webkit,
  server,
  db,
}, info) => {
  const { id: eventId, name } = await openEvent(db)
  await holdOn(db, eventId, [0, 1])
  const form = `${server.origin}/events/${eventId}/apply`
  await webkit.open(`${server.origin}/events/${eventId}`)
  await expectText(webkit, name, 'h1')
  await expectKeptForOffline(webkit)

  await server.kill()
  await webkit.open(form)
  await webkit.type('[name="firstName"]', bea.first)
  await webkit.type('[name="lastName"]', bea.last)
  await webkit.type('[name="email"]', bea.email)
  await webkit.pressNamed('Continue')
  await webkit.press('[name="experience"][value="First time"]')
  await webkit.type('[name="expertise"]', bea.expertise)
  await webkit.type('[name="whyBeacon"]', 'Somebody should greet people.')
  await webkit.type('[name="networkingStyle"]', 'Slow and kind.')
  await webkit.type('[name="bio"]', bea.bio)
  await webkit.press('[name="agreeTerms"]')
  // The server refuses who fills the form in like a program.
  await webkit.evaluate(() => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + 60_000
  })
  await webkit.pressNamed('Submit Application')
  await expectText(webkit, 'Saved on this device')
  await webkit.open(form)
  await expectText(webkit, 'Saved on this device')
  await webkit.pressNamed('Show to the Organizer')
  await expectText(webkit, 'The organizer scans this code')
  const picture = info.outputPath('code.png')
  const codeInPicture = async () => {
    await webkit.screenshot(picture)
    const { data, info: size } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return decodeQR({ data, width: size.width, height: size.height })
  }
  // A busy browser paints later than it shows a text in the page.
  await expect.poll(() => codeInPicture().catch(() => ''), { intervals: [100] }).not.toBe('')

  await server.start()
  await expectText(webkit, 'Application Submitted')
  await webkit.open(form)
  await expectText(webkit, 'Application Submitted')
  const rows = await db('applications').where({ eventId, email: bea.email }).select('firstName', 'experience', 'bio')
  expect(rows, 'one application').toEqual([{ firstName: bea.first, experience: 'First time', bio: bea.bio }])

  await signIn(webkit, server.origin)
  await webkit.open(`${server.origin}/events/manage/${eventId}`)
  await expectText(webkit, 'Beacon Applications')
  await webkit.pressNamed('Scan an application')
  await expectText(webkit, 'Choose a Picture')
  await webkit.evaluate(async (base64) => {
    const input = document.querySelector<HTMLInputElement>('[aria-label="Picture of the code"]')
    const chosen = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    chosen.items.add(new File([bytes], 'code.png', { type: 'image/png' }))
    if (input) input.files = chosen.files
    input?.dispatchEvent(new Event('change', { bubbles: true }))
  }, readFileSync(picture).toString('base64'))
  await expectText(webkit, /Bea Sandoval\s+is in your list already\./)
})
