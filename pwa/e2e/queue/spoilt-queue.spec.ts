import { sized } from '../../../sync-server/testing/proof-size.ts'
import { seededRandom } from '../../sync/testing/simulation/sim-world.ts'
import type { Entry } from '../../sync/queue/entry.ts'
import { isDamaged } from '../../sync/queue/mutations/mutations.ts'
import { spoiltEntries } from '../../sync/testing/spoilt-entries.ts'
import { paths } from '../../paths.ts'
import { card, decide, openBusiest } from '../applications/applicants.ts'
import { rowsOnDisk } from '../device-database.ts'
import { expect, readyForOffline, test } from '../journey.ts'

const count = 50

test('50 queued changes with one wrong value each take no screen with them, without a network', async ({
  device,
  db,
}) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db })
  const [ana, ben] = pending
  await readyForOffline(page)
  await context.setOffline(true)
  await decide(page, ana, 'Approve')
  const random = seededRandom(20_261_125)
  const all = spoiltEntries({ id: eventId, eventId, applicationId: ben.id }).filter(
    ({ row }) => row.mutation !== 'delete-event',
  )
  const chosen = Array.from({ length: count }, () => all[Math.floor(random() * all.length)]!)
  // One after the other says which; all at once proves the same for far less.
  const rounds = sized(
    chosen.map((one) => [one]),
    [chosen],
  )
  let seq = 1_000
  for (const round of rounds) {
    for (const { row } of round) {
      seq += 1
      const added = {
        ...row,
        seq,
        key: crypto.randomUUID(),
        owner: row.userId ?? 0,
        lane: `spoilt:${seq}`,
        state: 'queued',
      }
      await rowsOnDisk(page, 'beaconry-outbox', 'entries', { added })
    }
    const places = round.map(({ place }) => place).join(', ')
    await page.goto('/dashboard')
    await expect(page.getByRole('link', { name: /Manage Event/ }).first(), places).toBeVisible()
    await page.goto(paths.manageEvent(eventId))
    await expect(card(page, ana), places).toContainText('Approved')
    await expect(card(page, ben), places).toBeVisible()
    await page.goto('/sync')
    await expect(page.getByText(`Approve ${ana.name}`).first(), places).toBeVisible()
    // A wrong value may be a right one elsewhere, as a text is.
    if (round.some(({ row }) => isDamaged(row as unknown as Entry)))
      await expect(page.getByText('A change that was damaged on this device').first(), places).toBeVisible()
  }
})
