import { readFileSync } from 'node:fs'
import { busiestEvent, card, decide, expectDecidedOnce, openManage } from '../applications/applicants.ts'
import { expect, olivia, otto, readyForOffline, signIn, test } from '../journey.ts'

test('a file of changes says what it would do before it is sent, and does it', async ({ device, db }, testInfo) => {
  const { eventId: id, pending } = await busiestEvent(db)
  const [ana, ben] = [pending[0], pending[1]!]
  const broken = await device({ acceptDownloads: true })
  await signIn(broken.page, olivia)
  await openManage(broken.page, id, ana)
  await readyForOffline(broken.page)
  await broken.context.setOffline(true)
  await decide(broken.page, ana, 'Approve')
  await decide(broken.page, ben, 'Reject')
  await broken.page.goto('/sync')
  await broken.page.getByText('Details', { exact: true }).click()
  const saving = broken.page.waitForEvent('download')
  await broken.page.getByRole('button', { name: 'Save changes to a file' }).click()
  const path = testInfo.outputPath('changes.json')
  await (await saving).saveAs(path)

  const { page } = await device()
  await signIn(page, olivia)
  await page.goto('/sync')
  await page.getByText('Details', { exact: true }).click()
  const choose = async (file: { name: string; mimeType: string; buffer: Buffer }) =>
    await page.getByLabel('File of saved changes').setInputFiles(file)
  const file = { name: 'changes.json', mimeType: 'application/json', buffer: readFileSync(path) }
  const question = page.getByRole('dialog')
  await choose(file)
  await expect(question.getByRole('heading', { name: 'Send these 2 changes?' })).toBeVisible()
  await expect(question.getByRole('listitem')).toHaveText([
    new RegExp(`Approve ${ana.name}`),
    new RegExp(`Reject ${ben.name}`),
  ])
  await expect(question).toContainText('olivia@example.com')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'Everything is saved online.' })).toBeVisible()
  expect(await db('application_decisions').where({ applicationId: ana.id })).toHaveLength(ana.decisionNumber)

  const damaged = JSON.parse(readFileSync(path, 'utf8')) as { entries: unknown[] }
  damaged.entries.push({ key: 'none' })
  await choose({ ...file, buffer: Buffer.from(JSON.stringify(damaged)) })
  await expect(question.getByText('1 change cannot be read and stays in the file')).toBeVisible()
  await question.getByRole('button', { name: 'Send These 2 Changes' }).click()
  await expectDecidedOnce(db, ana, 'approved')
  await expectDecidedOnce(db, ben, 'rejected')
  await broken.context.setOffline(false)
  await expect(async () => {
    await broken.page.getByRole('button', { name: 'Sync now' }).click()
    const clear = broken.page.getByRole('heading', { name: 'Everything is saved online.' })
    await expect(clear, 'the phone that made them finds them done').toBeVisible({ timeout: 3_000 })
  }).toPass()
  await expectDecidedOnce(db, ana, 'approved')

  await choose({ ...file, buffer: Buffer.from('not json') })
  await expect(page.getByText('This is not a file of saved changes.', { exact: true })).toBeVisible()
  const other = await device()
  await signIn(other.page, otto)
  await other.page.goto('/sync')
  await other.page.getByText('Details', { exact: true }).click()
  await other.page.getByLabel('File of saved changes').setInputFiles(file)
  await expect(other.page.getByText('These changes belong to another account.').first()).toBeVisible()
  await expect(card(other.page, ana)).toHaveCount(0)
})
