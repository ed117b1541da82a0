import { expect, test } from '../journey.ts'
import { openCrowd } from './applicants.ts'

const count = 40
/** Taps beside the one that decides each person. */
const moreTaps = 4
/** Until the next person is shown, on a phone; half of the waits are shorter. */
const usualWaitMs = 200

test('forty people are decided one by one offline on a slow phone, a tap each @nightly', async ({
  device,
  server,
  db,
}) => {
  const { page, context } = await device()
  const ids = await openCrowd(db, page, count)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await server.kill()
  let taps = 0
  const tap = async (name: string) => {
    await page.getByRole('button', { name }).click()
    taps += 1
  }
  await tap('Review one by one')
  const dialog = page.getByRole('dialog')
  const waits: number[] = []
  for (let done = 0; done < count; done += 1) {
    const wait = await dialog.evaluate(
      (element, verb) =>
        new Promise<number>((resolve) => {
          const before = element.querySelector('h2')?.textContent
          const button = [...element.querySelectorAll('button')].find((one) => one.textContent?.trim() === verb)
          if (!button) throw new Error('Nothing decides here')
          const from = performance.now()
          const look = () => {
            const now = document.querySelector('dialog[open] h2')?.textContent
            if (now === before) requestAnimationFrame(look)
            else requestAnimationFrame(() => resolve(performance.now() - from))
          }
          button.click()
          requestAnimationFrame(look)
        }),
      done % 2 === 0 ? 'Approve' : 'Reject',
    )
    taps += 1
    waits.push(wait)
  }
  expect(taps).toBeLessThanOrEqual(count + moreTaps)
  // Behind the last one comes the list.
  const sorted = waits.slice(0, -1).sort((one, other) => one - other)
  const told = sorted.map(Math.round)
  test.info().annotations.push({ type: 'waits', description: `median ${told[19]} ms, longest ${told.at(-1)} ms` })
  expect(told[19], told.join(' ')).toBeLessThan(usualWaitMs)

  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await server.start()
  const decided = async () => await db('applications').whereIn('id', ids).whereNot({ status: 'pending' })
  await expect.poll(async () => (await decided()).length).toBe(count)
})
