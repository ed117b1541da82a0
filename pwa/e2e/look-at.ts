import type { Locator, Page, TestInfo } from 'playwright/test'

/** Pictures for people to look at, of a phone and of a desktop, in the light and in the dark; `at` is where they look. */
export async function lookAt(page: Page, testInfo: TestInfo, name: string, at?: Locator): Promise<void> {
  for (const [size, viewport] of [
    ['phone', { width: 390, height: 844 }],
    ['desktop', { width: 1280, height: 800 }],
  ] as const) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await at?.scrollIntoViewIfNeeded()
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
      await page.screenshot({ path: testInfo.outputPath(`${name}-${size}-${colorScheme}.png`) })
    }
  }
}
