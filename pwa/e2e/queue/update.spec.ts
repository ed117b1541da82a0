import { fetchUpdate, test, versionOf } from './deployment.ts'
import { expect, olivia, signIn } from '../journey.ts'

test('a new version waits until it is accepted, then every tab changes to it and keeps what was typed', async ({
  device,
  deployment,
}) => {
  const { context, page } = await device({ baseURL: deployment.origin })
  await signIn(page, olivia)
  const form = await context.newPage()
  await form.goto('/events/create')
  await form.getByLabel('Event Name').fill('A party nobody has heard of')

  deployment.deploy()
  await fetchUpdate(page)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Events' }).click()
  await expect(page.getByText('A new version of Beaconry is ready. What you typed is kept.')).toBeVisible()
  expect([await versionOf(page), await versionOf(form)], 'nothing changes by itself').toEqual(['1', '1'])

  await form.getByLabel('Description').fill('It is a secret.')
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect.poll(() => versionOf(page).catch(() => 'moving')).toBe('2')
  await expect.poll(() => versionOf(form).catch(() => 'moving')).toBe('2')
  await expect(form.getByLabel('Event Name')).toHaveValue('A party nobody has heard of')
  await expect(form.getByLabel('Description')).toHaveValue('It is a secret.')
  await expect(page.getByText('A new version of Beaconry is ready.')).toBeHidden()
})

test('a page whose pieces are gone from the server reloads once, then says what is the matter', async ({
  device,
  deployment,
}) => {
  const { page } = await device({ baseURL: deployment.origin, serviceWorkers: 'block' })
  let loads = 0
  page.on('request', (asked) => {
    if (asked.isNavigationRequest()) loads += 1
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).waitFor()
  deployment.remove(/\/assets\/(events|events-screen)-[^/]*\.js/)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Events' }).click()
  await expect.poll(() => loads).toBe(2)
  await expect(page.getByRole('heading', { name: 'This page is not on this device yet' })).toBeVisible()
  expect(loads).toBe(2)
})
