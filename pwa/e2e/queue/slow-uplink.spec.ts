import { fullSize } from '../../../sync-server/testing/proof-size.ts'
import { busiestEvent, decide, expectDecidedOnce, openManage } from '../applications/applicants.ts'
import { openEvents } from '../applications/application-form.ts'
import { expect } from '../journey.ts'
import { isBatch, test } from './road-journey.ts'

const rates = fullSize ? [4_000, 500] : [500]

for (const rate of rates)
  test(`on a line of ${rate} bytes a second a decision overtakes a cover, and both arrive`, async ({
    phone,
    road,
    db,
  }) => {
    test.setTimeout(900_000)
    const { eventId, pending } = await busiestEvent(db)
    const [ana] = pending
    const { id } = (await openEvents(db)).find((event) => event.id !== eventId)!
    const cover = async () => (await db('event_covers').where({ eventId: id })).length
    await phone.goto(`/events/edit/${id}`)
    await phone.getByRole('button', { name: 'Use a picture of yours' }).waitFor()
    road.treat((call) => (isBatch(call) ? { uplinkBytesPerSecond: rate } : 'pass'))
    await phone.getByLabel('Picture for the cover').setInputFiles('public/link-preview.png')
    await expect.poll(() => road.calls.filter(isBatch).some(({ body }) => body.length > 20_000)).toBe(true)

    await openManage(phone, eventId, ana)
    await decide(phone, ana, 'Approve')
    await expectDecidedOnce(db, ana, 'approved')
    const isSlowest = rate < 1_000
    if (isSlowest) expect(await cover(), 'the decision did not wait for it').toBe(0)
    if (!fullSize) road.treat(() => 'pass')
    await phone.goto('/sync')
    // On a faster line it has arrived before anything is said.
    if (fullSize && isSlowest) await expect(phone.getByText('on its way, but the connection is slow')).toBeVisible()
    await expect.poll(cover, { timeout: 600_000 }).toBe(1)
    await expect(phone.getByRole('heading', { name: 'Everything is saved online.' })).toBeVisible()
  })
