import type { Page } from 'playwright/test'
import { apiOf, applyByCall, decideByCall, tell } from '../client.ts'
import { openEvent } from './application-form.ts'
import { busiestEvent, card, decide, endUndoWindow, expectStatus, openManage, view } from './applicants.ts'
import { beaFields } from '../../sync/testing/people.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block' })

test('of two notes from two phones the older is brought back with one tap @nightly', async ({ device, db }) => {
  const { eventId: id, pending } = await busiestEvent(db)
  const ana = pending[0]
  const phone = await device()
  const tablet = await device()
  for (const { page } of [phone, tablet]) {
    await signIn(page, olivia)
    await openManage(page, id, ana)
  }
  const write = async (page: Page, note: string) => {
    const dialog = await view(page, ana)
    await dialog.getByLabel('Private note').fill(note)
    await dialog.getByRole('button', { name: 'Save Note' }).click()
    await expect(dialog.getByRole('button', { name: 'Save Note' })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Close' }).click()
  }
  const stored = async () => (await db('applications').where({ id: ana.id }).first('note'))?.note

  await phone.context.setOffline(true)
  await write(phone.page, 'Speaks Spanish, ask her about the harbor.')
  await write(tablet.page, 'Met in Berlin. Wants the late shift.')
  await expect.poll(stored).toBe('Met in Berlin. Wants the late shift.')
  await phone.context.setOffline(false)
  await expect.poll(stored).toBe('Speaks Spanish, ask her about the harbor.')

  const dialog = await view(phone.page, ana)
  const other = dialog.getByRole('region', { name: 'Another note was written elsewhere' })
  await expect(other).toContainText('Met in Berlin. Wants the late shift.')
  await expect(dialog.getByLabel('Private note')).toHaveValue('Speaks Spanish, ask her about the harbor.')
  await other.getByRole('button', { name: 'Bring It Back' }).click()
  await expect(dialog.getByLabel('Private note')).toHaveValue('Met in Berlin. Wants the late shift.')
  await expect(other).toContainText('Speaks Spanish, ask her about the harbor.')
  await expect.poll(stored).toBe('Met in Berlin. Wants the late shift.')
  await other.getByRole('button', { name: 'Remove' }).click()
  await expect(other).toHaveCount(0)

  await dialog.getByLabel('Private note').fill('Speaks Spanish, ask her about the harbor.')
  await dialog.getByRole('button', { name: 'Save Note' }).click()
  await expect.poll(stored, 'typed again').toBe('Speaks Spanish, ask her about the harbor.')
  await dialog.getByLabel('Private note').fill('Met in Berlin. Wants the late shift. Brings a friend.')
  await dialog.getByRole('button', { name: 'Save Note' }).click()
  await expect.poll(stored).toBe('Met in Berlin. Wants the late shift. Brings a friend.')
  await expect(other, 'an ordinary edit leaves nothing behind').toHaveCount(0)
  const row = await db('applications').where({ id: ana.id }).first('otherNotes')
  expect(row?.otherNotes).toEqual([])
})

test('what a Beacon changes after the approval waits for the organizer', async ({ page, server, db }) => {
  const { id: eventId } = await openEvent(db)
  const fields = { ...beaFields, email: 'bea.watched@example.com' }
  const { id, token } = await applyByCall(server.origin, eventId, fields)
  const bea = { id, name: 'Bea Brook', email: fields.email, decisionNumber: 0 }
  await decideByCall(await apiOf(server.origin, olivia), id, 'approved')
  await signIn(page, olivia)
  await openManage(page, eventId, bea)
  const bio = 'I sell watches. Ask me about watches.'
  const changes = { ...fields, bio, linkedinUrl: 'https://www.linkedin.com/in/watches' }
  await tell(server.origin, '/api/own-application', { token, ...changes }, { method: 'PUT' })

  await expect(card(page, bea).getByText('Changed after approval')).toBeVisible()
  const dialog = await view(page, bea)
  const title = dialog.getByText('Changed after your approval')
  await expect(dialog.locator('del').first()).toContainText(beaFields.bio)
  await expect(dialog.locator('ins').first()).toContainText(bio)
  await dialog.getByRole('button', { name: 'Agree to the Changes' }).click()
  await expect(title).toHaveCount(0)
  await expect.poll(async () => (await db('applications').where({ id }).first('approvedAs'))?.approvedAs).toBeNull()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(card(page, bea).getByText('Changed after approval')).toHaveCount(0)
})

test('long addresses and names stay inside their card on a phone @nightly', async ({ page, server, db }) => {
  const { id: eventId } = await openEvent(db)
  const person = {
    firstName: 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft',
    lastName: 'Featherstonehaughcholmondeleybeauchampmarjoribanksleveson-gower',
    email: `${'a-very-long-local-part-without-a-break'.padEnd(64, 'x')}@${'subdomain-of-some-length.'.repeat(6)}example.com`,
    linkedinUrl: `https://www.linkedin.com/in/${'very-long-name'.repeat(12)}`,
    bio: 'W'.repeat(400),
    whyBeacon: 'https://example.com/'.padEnd(300, 'y'),
  }
  const long = await applyByCall(server.origin, eventId, person)
  const company = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const work = { company, jobTitle: 'Rechtsschutzversicherungsgesellschaftenangestellter'.repeat(2) }
  const other = await applyByCall(server.origin, eventId, {
    ...person,
    ...work,
    email: `o${person.email.slice(1)}`,
  })

  await signIn(page, olivia)
  const whole = { name: `${person.firstName} ${person.lastName}`, email: person.email, decisionNumber: 0 }
  await openManage(page, eventId, { id: long.id, ...whole })
  for (const { id } of [long, other]) await decide(page, { id, ...whole }, 'Approve')
  await endUndoWindow(page)
  for (const one of [long, other]) await expectStatus(db, one, 'approved')
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/events/manage/${eventId}`)
    await expect(card(page, { id: long.id, ...whole })).toBeVisible()
    for (const { id } of [long, other])
      expect(await outside(page, `[data-row="${id}"]`), `card at ${width}`).toEqual([])
    await card(page, { id: long.id, ...whole })
      .getByRole('button', { name: /^View/ })
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await outside(page, 'dialog[open]'), `dialog at ${width}`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)

    await page.goto(`/events/manage/${eventId}/beacons`)
    await expect(page.getByText(person.email).filter({ visible: true }).first()).toBeVisible()
    expect(await outside(page, 'section:has(> table)'), `list at ${width}`).toEqual([])
    await page.goto(`/events/${eventId}`)
    await expect(page.getByRole('heading', { name: 'Meet the Beacons' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await outside(page, 'main li:has(h3)'), `guests' card at ${width}`).toEqual([])
  }
})

/** The texts that stand out of a box, by how far. What is only for screen readers has no place, and what is cut off stays inside. */
async function outside(page: Page, box: string): Promise<string[]> {
  return await page.evaluate((selector) => {
    return Array.from(document.querySelectorAll(selector)).flatMap((element) => {
      const { right } = element.getBoundingClientRect()
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(text)
        if (text.parentElement?.closest('.sr-only, .truncate')) continue
        const beyond = Math.max(0, ...Array.from(range.getClientRects(), (rect) => rect.right)) - right
        if (beyond > 0.5) found.push(`${Math.round(beyond)} px: ${text.textContent?.slice(0, 40)}`)
      }
      return found
    })
  }, box)
}
