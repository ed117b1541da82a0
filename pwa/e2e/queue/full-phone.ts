import type { Page } from 'playwright/test'

/** From now on, while `full` is kept in the session, the phone has no room for another change. */
export async function letPhoneFillUp(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const add = IDBObjectStore.prototype.add
    IDBObjectStore.prototype.add = function (...args) {
      if (this.name === 'entries' && sessionStorage.getItem('full') !== null)
        throw new DOMException('No room', 'QuotaExceededError')
      return add.apply(this, args)
    }
  })
}
