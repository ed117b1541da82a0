import { expect } from '../journey.ts'
import { expectCopied, expectText, rowOf, signIn, test } from '../webkit-journey.ts'
import { busiestEvent, holdOn } from './applicants.ts'

test('a walk-in, an arrival, a post and a message leave WebKit once, after an offline night @nightly', async ({
  webkit,
  server,
  db,
}) => {
  const { eventId, approved } = await busiestEvent(db, 'approved')
  const [ana] = approved
  await holdOn(db, eventId, [0, 0])
  const manage = `${server.origin}/events/manage/${eventId}`
  await signIn(webkit, server.origin)
  await webkit.open(manage)
  await expectText(webkit, ana.name, rowOf(ana))
  await expectCopied(webkit)

  await server.kill()
  await webkit.open(manage)
  await expectText(webkit, ana.name, rowOf(ana))
  await webkit.pressNamed('Walk-in')
  await webkit.type('dialog[open] input[name="name"]', 'Wanda Walker')
  await webkit.pressNamed('Add', 'dialog[open]')
  await expectText(webkit, /Wanda Walker[^]*saved on this device/)
  await webkit.press(`${rowOf(ana)} [aria-label^="Here today: "]`)
  await webkit.press(`${rowOf(ana)} [aria-label^="Post of "]`)
  await webkit.press('dialog[open] input[value="Coat check"]')
  await webkit.pressNamed('Save', 'dialog[open]')
  await expectText(webkit, 'Coat check', rowOf(ana))
  await webkit.pressNamed('Write')
  await webkit.type('dialog[open] textarea', 'Please come to the bar.')
  await webkit.pressNamed('Send', 'dialog[open]')
  await expectText(webkit, /Please come to the bar\.[^]*saved on this device/)
  await webkit.open(manage)
  await expectText(webkit, /Wanda Walker[^]*Please come to the bar\./)

  await server.start()
  const walkIns = () => db('applications').where({ eventId, walkedIn: true, status: 'approved' }).pluck('firstName')
  await expect.poll(walkIns).toEqual(['Wanda'])
  const stored = async () => await db('applications').where({ id: ana.id }).first('post', 'arrivedAt')
  await expect.poll(stored).toMatchObject({ post: 'Coat check', arrivedAt: expect.any(Date) })
  await expect
    .poll(async () => await db('messages').where({ eventId }).pluck('body'))
    .toEqual(['Please come to the bar.'])
})

test('an event is cancelled and hidden in WebKit without a network, once @nightly', async ({ webkit, server, db }) => {
  const { eventId, name } = await busiestEvent(db)
  const manage = `${server.origin}/events/manage/${eventId}`
  await signIn(webkit, server.origin)
  await webkit.open(manage)
  await expectText(webkit, name)
  await expectCopied(webkit)

  await server.kill()
  await webkit.open(manage)
  await expectText(webkit, name, 'h1')
  await expect
    .poll(() =>
      webkit.evaluate(() => {
        // The menu opens by a pointer or a key; a click alone does not.
        const key = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })
        document.querySelector('[aria-label="More"]')?.dispatchEvent(key)
        const items = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')]
        const item = items.find((one) => one.textContent?.trim() === 'Cancel Event')
        item?.click()
        return item !== undefined
      }),
    )
    .toBe(true)
  await webkit.pressNamed('Cancel Event', 'dialog[open]')
  await expectText(webkit, 'This event is cancelled')
  await webkit.open(`${server.origin}/events/edit/${eventId}`)
  await webkit.press('select[name="visibility"]')
  await webkit.evaluate(() => {
    const select = document.querySelector<HTMLSelectElement>('select[name="visibility"]')
    if (select) select.value = 'hidden'
    select?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await webkit.pressNamed('Save Changes')
  await expectText(webkit, 'Welcome, ')
  expect((await db('events').where({ id: eventId }).first())?.cancelledAt).toBeNull()

  await server.start()
  const stored = async () => await db('events').where({ id: eventId }).first('visibility', 'cancelledAt')
  await expect.poll(stored).toMatchObject({ visibility: 'hidden', cancelledAt: expect.any(Date) })
})
