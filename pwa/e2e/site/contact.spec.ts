import { expect, test } from '../journey.ts'

test.describe('a server that names an address', () => {
  test.use({ serverEnv: { CONTACT_EMAIL: 'help@harbor.example' } })
  test('has it on its contact page, for everything that is no organizer’s matter', async ({ device }) => {
    const { page } = await device()
    await page.goto('/contact')
    const links = page.getByRole('main').getByRole('link', { name: 'help@harbor.example' })
    await expect(links).toHaveCount(4)
    await expect(links.first()).toHaveAttribute('href', 'mailto:help@harbor.example')
  })
})

test('a server that names nobody sends nobody to an address that does not exist', async ({ device }) => {
  const { page } = await device()
  await page.goto('/contact')
  await expect(page.getByText('names no address').first()).toBeVisible()
  await expect(page.locator('a[href^="mailto:"]')).toHaveCount(0)
})
