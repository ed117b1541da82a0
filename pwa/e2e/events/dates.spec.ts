import { createEvent, fillInEvent, springYear } from './event-form.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block' })

test('a deadline reads as typed, with the venue’s zone, on the event’s pages @nightly', async ({ page }) => {
  await signIn(page, olivia)
  const optional = { 'ZIP Code': '96910', 'Applications close': `${springYear}-05-08T23:59` }
  const id = await createEvent(page, { name: 'Lanterns at Tumon Bay', optional })
  const words = `May 8, ${springYear}, 11:59 PM GMT+10.`
  await page.goto(`/events/manage/${id}`)
  await expect(page.getByText(`Open until ${words}`)).toBeVisible()
  for (const path of [`/events/${id}`, `/events/${id}/apply`]) {
    await page.goto(path)
    await expect(page.getByText(`Apply by ${words}`)).toBeVisible()
  }
})

test('days that are over are asked about before they are published @nightly', async ({ page, db }) => {
  const name = 'Lanterns of last year'
  const published = () => db('events').where({ name }).select('startDate')
  await signIn(page, olivia)
  await page.goto('/events/create')
  await fillInEvent(page, { name })
  for (const label of ['Start Date', 'End Date']) await page.getByLabel(label).fill('2025-12-05')
  await page.getByRole('button', { name: 'Create Event' }).click()
  const question = page.getByRole('alertdialog', { name: 'Are these dates right?' })
  await expect(question).toContainText('It would be over already: December 5, 2025.')
  expect(await published()).toEqual([])
  await question.getByRole('button', { name: 'Keep Them' }).click()
  await expect.poll(published).toEqual([{ startDate: '2025-12-05' }])
})
