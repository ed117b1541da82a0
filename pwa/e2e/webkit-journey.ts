import { expect, olivia, test as base } from './journey.ts'
import type { Applicant } from './applications/applicants.ts'
import { startWebKit, type WebKit } from './webkit.ts'

/** A journey whose first device is a phone with WebKit. */
export const test = base.extend<{ webkit: WebKit }>({
  webkit: async ({}, use, info) => {
    const webkit = await startWebKit()
    await use(webkit)
    if (info.status !== info.expectedStatus) await webkit.screenshot(info.outputPath('webkit.png'))
    await webkit.close()
  },
})

const patience = { intervals: [50] }

/** Waits until the page shows a text; a page that is on its way shows nothing. */
export async function expectText(webkit: WebKit, text: string | RegExp, selector = 'body'): Promise<void> {
  const shown = expect.poll(() => textOf(webkit, selector), { ...patience, message: `${selector} shows ${text}` })
  await (typeof text === 'string' ? shown.toContain(text) : shown.toMatch(text))
}

export const textOf = (webkit: WebKit, selector: string): Promise<string> =>
  webkit.evaluate((wanted) => document.querySelector<HTMLElement>(wanted)?.innerText ?? '', selector).catch(() => '')

export const rowOf = ({ id }: Applicant) => `[data-row="${id}"]`

/** Signs in by the form, and waits until the page would open again without a network. */
export async function signIn(webkit: WebKit, origin: string, who = olivia): Promise<void> {
  await comeIn(webkit, origin, who)
  await expectKeptForOffline(webkit)
}

/** Signs in by the form, while the app and the account's data are still on their way to the device. */
export async function comeIn(webkit: WebKit, origin: string, who = olivia): Promise<void> {
  await webkit.open(`${origin}/auth`)
  await webkit.type('input[name="email"]', who.email)
  await webkit.type('input[name="password"]', who.password)
  await webkit.press('form button[type="submit"]')
  await expectText(webkit, 'Welcome, ')
}

/** Waits until this page would open again without a network. */
export async function expectKeptForOffline(webkit: WebKit): Promise<void> {
  const isKept = () => webkit.evaluate(() => navigator.serviceWorker.controller !== null).catch(() => false)
  await expect.poll(isKept, patience).toBe(true)
}

/** Waits until the device's copy is whole on its disk. */
export async function expectCopied(webkit: WebKit): Promise<void> {
  const heads = () =>
    webkit
      .evaluate(
        () =>
          new Promise<number>((resolve, reject) => {
            const opening = indexedDB.open('beaconry-sync')
            opening.onerror = () => reject(opening.error ?? new Error('The storage does not answer'))
            opening.onsuccess = () => {
              const reading = opening.result.transaction('meta').objectStore('meta').getAll()
              reading.onsuccess = () => resolve(Object.keys(Object(reading.result[0]?.heads)).length)
              opening.result.close()
            }
          }),
      )
      .catch(() => 0)
  await expect.poll(heads, patience).toBe(2)
}
