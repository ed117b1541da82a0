import { expect, sharingTest as test } from '../journey.ts'

test('the contact page has the address that the server names, and none where it names none', async ({ device }) => {
  const { page } = await device()
  await page.goto('/contact')
  await expect(page.getByText('names no address')).toHaveCount(1)
  await expect(page.locator('a[href^="mailto:"]')).toHaveCount(0)

  await page.route('**/contact.json', (route) => route.fulfill({ json: { email: 'help@harbor.example' } }))
  await page.reload()
  const links = page.getByRole('main').getByRole('link', { name: 'help@harbor.example' })
  await expect(links).toHaveCount(4)
  await expect(links.first()).toHaveAttribute('href', 'mailto:help@harbor.example')
})
