import type { Locator, Page } from 'playwright/test'

/** One screen of the app, to be looked at. */
export interface Screen {
  readonly name: string
  /** Goes there and waits until the screen shows what it is about. */
  open(page: Page): Promise<void>
}

/** A text or thing that is waited for, or something that is done. */
type Step = string | RegExp | ((page: Page) => Locator | Promise<unknown>)

/** A screen at an address, which may have to be made first; it is there after these steps. */
export const screen = (
  name: string,
  path: string | ((page: Page) => string | Promise<string>),
  ...steps: readonly Step[]
): Screen => ({
  name,
  open: async (page) => {
    await page.goto(typeof path === 'string' ? path : await path(page))
    for (const step of steps) {
      const found = typeof step === 'function' ? step(page) : page.getByText(step)
      await ('waitFor' in found ? found.first().waitFor() : found)
    }
    // Text in the fallback face has other widths.
    await page.evaluate(() => document.fonts.ready)
  },
})

type Role = Parameters<Page['getByRole']>[0]

export const see =
  (role: Role, name?: string | RegExp, level?: number): Step =>
  (page) =>
    page.getByRole(role, { ...(name !== undefined && { name }), ...(level !== undefined && { level }) })

export const field =
  (label: string): Step =>
  (page) =>
    page.getByLabel(label)

export const press =
  (role: Role, name: string | RegExp): Step =>
  (page) =>
    page.getByRole(role, { name, exact: true }).first().click()

export const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(text)

export const reload: Step = (page) => page.reload()

/** The first person in a list of applicants. */
export const rows: Step = (page) => page.locator('[data-row]')
