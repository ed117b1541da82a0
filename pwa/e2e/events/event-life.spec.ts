import type { Page } from 'playwright/test'
import { busiestEvent, openManage } from '../applications/applicants.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

const phone = { viewport: { width: 390, height: 844 } }

const seesHeading = async (page: Page, eventId: number, name: string) => {
  await page.goto(`/events/${eventId}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test('an event is cancelled and brought back offline @nightly', async ({ device, db }) => {
  const { eventId, name, pending } = await busiestEvent(db)
  const { context, page } = await device(phone)
  const { page: guest } = await device({ ...phone, serviceWorkers: 'block' })
  await signIn(page, olivia)
  await openManage(page, eventId, pending[0])
  const isCancelled = page.getByText('This event is cancelled', { exact: true })
  const stored = async () => (await db('events').where({ id: eventId }).first('cancelledAt'))?.cancelledAt ?? null

  await context.setOffline(true)
  await page.reload()
  const openCancelDialog = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Cancel Event' }).click()
  }
  await openCancelDialog()
  const dialog = page.getByRole('alertdialog', { name: `Cancel ${name}?` })
  await dialog.getByRole('button', { name: 'Keep It' }).click()
  await expect(isCancelled).toHaveCount(0)
  await openCancelDialog()
  await dialog.getByRole('button', { name: 'Cancel Event' }).click()
  await expect(isCancelled).toBeVisible()
  await page.reload()
  await expect(isCancelled).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Use as template' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Cancel Event' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await context.setOffline(false)
  await expect.poll(stored).not.toBeNull()
  await seesHeading(guest, eventId, name)
  await expect(guest.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(guest.getByText('This event is cancelled.')).toBeVisible()
  await guest.goto(`/events/${eventId}/apply`)
  await expect(guest.getByRole('heading', { name: 'This event is cancelled.' })).toBeVisible()

  await context.setOffline(true)
  await page.reload()
  await page.getByRole('button', { name: 'Take Back the Cancellation' }).click()
  await expect(isCancelled).toHaveCount(0)
  await context.setOffline(false)
  await expect.poll(stored).toBeNull()
  await seesHeading(guest, eventId, name)
  await expect(guest.getByRole('link', { name: 'Apply to be a Beacon' }).first()).toBeVisible()
})

test('an event is hidden and made public offline @nightly', async ({ device, server, db }) => {
  const { eventId, name, pending } = await busiestEvent(db)
  const { page } = await device(phone)
  await signIn(page, olivia)
  await openManage(page, eventId, pending[0])
  const isHidden = page.getByText('Not yet public', { exact: true })
  const stored = async () => (await db('events').where({ id: eventId }).first('visibility'))?.visibility

  await server.kill()
  await page.reload()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Who can see it').selectOption('Only you: it is not yet public')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.waitForURL('**/dashboard')
  await expect(isHidden.first()).toBeVisible()
  await page.getByRole('link', { name: `Manage Event: ${name}` }).click()
  await expect(isHidden).toBeVisible()
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  await expect(preview.getByRole('heading', { level: 1, name, includeHidden: true })).toBeVisible()
  await page.keyboard.press('Escape')

  await server.start()
  await expect.poll(stored).toBe('hidden')

  await server.kill()
  await page.reload()
  await page.getByRole('button', { name: 'Make Public' }).click()
  await expect(isHidden).toHaveCount(0)
  await server.start()
  await expect.poll(stored).toBeNull()
})
