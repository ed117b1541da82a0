import { createHmac } from 'node:crypto'
import type { Knex } from 'knex'
import { expect, olivia, readyForOffline, signIn, test } from '../journey.ts'

/** The address at the foot of a mail about new applications, as the server signs it. */
async function unsubscribeAddress(db: Knex, email: string): Promise<string> {
  const secret = 'a secret of this installation'
  await db('installation_secrets').insert({ name: 'unsubscribe', secret })
  const user = await db('users').where({ email }).first('id')
  const signed = createHmac('sha256', secret).update(`new-applications:${user?.id}`).digest('base64url')
  return `/unsubscribe/${user?.id}.${signed}`
}

test('emails about applications are turned off from a mail, and on again on the profile @nightly', async ({
  page,
  db,
}) => {
  const address = await unsubscribeAddress(db, olivia.email)
  await signIn(page, olivia)
  await readyForOffline(page)

  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Turn off emails about new applications?' })).toBeVisible()
  await page.getByRole('button', { name: 'Turn Them Off' }).click()
  await expect(page.getByRole('heading', { name: 'These emails are off' })).toBeVisible()

  await page.getByRole('link', { name: 'Open your profile' }).click()
  const card = page.getByRole('region', { name: 'Alerts', exact: true })
  await expect(card.getByText('Off.', { exact: true })).toBeVisible()
  await card.getByRole('button', { name: 'Turn On Emails' }).click()
  await expect(card.getByText('On: one email gathers who applied within ten minutes.')).toBeVisible()
  await expect(card.getByText(`To ${olivia.email}, as no device of yours has alerts.`)).toBeVisible()
  await page.reload()
  await expect(card.getByRole('button', { name: 'Turn Off Emails' })).toBeVisible()
})
