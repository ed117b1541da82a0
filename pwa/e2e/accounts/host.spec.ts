import { apply, bea, openEvent } from '../applications/application-form.ts'
import { expect, olivia, signIn } from '../journey.ts'
import { linkTo, test } from '../mail/mail-journey.ts'

test.use({ serviceWorkers: 'block' })

test('an organizer names the host, whom guests can write to @nightly', async ({ page, device, db, server, smtp }) => {
  const { id } = await openEvent(db)
  await signIn(page, olivia)
  await page.goto('/profile')
  const card = page.getByRole('region', { name: 'What guests see of you' })
  await card.getByLabel('Organization').fill('Harbor Street Club')
  await card.getByLabel('Contact email').fill('not an address')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Please enter a valid email address')).toBeVisible()

  await page.reload()
  await card.getByLabel('Contact email').fill('half an addr')
  const elsewhere = await page.request.put(`${server.origin}/api/user/profile`, {
    data: { organizationName: 'Harbor Street', contactEmail: '' },
    headers: { Origin: server.origin },
  })
  expect(elsewhere.status(), await elsewhere.text()).toBe(200)
  await expect(card.getByLabel('Organization')).toHaveValue('Harbor Street')
  await expect(card.getByLabel('Contact email'), 'what is being typed stays').toHaveValue('half an addr')

  await card.getByLabel('Organization').fill('Harbor Street Club')
  await card.getByLabel('Contact email').fill('hello@harbor.example')
  await card.getByLabel('Current password').fill(olivia.password)
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('A link is on its way to hello@harbor.example', { exact: false }).first()).toBeVisible()

  const guest = await device()
  await guest.page.goto(`/events/${id}`)
  await expect(guest.page.getByText('Hosted by Harbor Street Club')).toBeVisible()
  await expect(guest.page.getByRole('link', { name: 'Contact the organizer' })).toHaveCount(0)
  await guest.page.goto(await linkTo(smtp, 'hello@harbor.example'))
  await guest.page.getByRole('button', { name: 'Confirm Email' }).click()
  await expect(guest.page.getByRole('heading', { name: 'Your contact address is confirmed' })).toBeVisible()
  await guest.page.goto(`/events/${id}`)
  await expect(guest.page.getByRole('link', { name: 'Contact the organizer' })).toHaveAttribute(
    'href',
    /^mailto:hello@harbor\.example\?subject=/,
  )

  await apply(guest.page, id, bea)
  await expect(guest.page.getByText('Hosted by Harbor Street Club'), 'the thank-you names the host').toBeVisible()
})
