import demoApplicants from '../../../sync-server/db/seeds/demo-applicants.json' with { type: 'json' }
import { presentTouched } from '../../../sync-server/app/nouns.ts'
import { recordChanges } from '../../../sync-server/feed/change-feed.ts'
import { seededRandom } from '../../sync/testing/simulation/sim-world.ts'
import { busiestEvent } from '../applications/applicants.ts'
import { expect, olivia, signIn } from '../journey.ts'
import { paths } from '../../paths.ts'
import { isPull, test } from './road-journey.ts'

const applicants = 1_500

test('1,500 applicants come at 5 kB/s in three minutes, little twice @nightly', async ({ device, road, db }) => {
  const { eventId } = await busiestEvent(db)
  const words = [...new Set(JSON.stringify(demoApplicants).match(/[a-z]{2,}/gi))]
  const random = seededRandom(5)
  const text = (count: number) =>
    Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ')
  await db.transaction(async (trx) => {
    const rows = Array.from({ length: applicants }, (_, index) => ({
      eventId,
      firstName: text(1),
      lastName: `${text(1)} ${index}`,
      email: `slow${index}@example.com`,
      company: text(2),
      jobTitle: text(2),
      experience: 'First time',
      expertise: text(8),
      whyBeacon: text(25),
      networkingStyle: text(8),
      bio: text(110),
      termsAcceptedAt: new Date(),
      termsVersion: '1',
      statusTokenHash: `slow-${index}`,
    }))
    await trx.batchInsert('applications', rows, 500)
    const ids: number[] = await trx('applications').where({ eventId }).pluck('id')
    const touched = ids.map((id) => ({ what: 'application' as const, id, organizerId: 1 }))
    await recordChanges(trx, (await presentTouched(trx, touched, new Date())).flat())
  })
  road.treat((call) => (isPull(call) ? { bytesPerSecond: 5_000 } : 'pass'))
  const { page } = await device({ baseURL: road.origin })
  const begun = performance.now()
  await signIn(page, olivia)
  await page
    .locator(`a[href="${paths.manageEvent(eventId)}"]`)
    .first()
    .click()
  const chips = page.getByRole('group', { name: 'Show applications' })
  await expect(chips, 'all are here').toContainText(/All\s*1,?5\d\d/, { timeout: 240_000 })
  const seconds = (performance.now() - begun) / 1000
  test.info().annotations.push({
    type: 'slow downlink',
    description: `${seconds.toFixed(0)} s, ${road.slowed.whole} of ${road.slowed.bytes} bytes came whole`,
  })
  expect(seconds).toBeLessThanOrEqual(180)
  expect(road.slowed.whole / road.slowed.bytes).toBeGreaterThanOrEqual(0.8)
})
