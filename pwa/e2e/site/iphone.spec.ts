import type { BrowserContext, BrowserContextOptions, Page } from 'playwright/test'
import { busiestEvent, button, decide, openBusiest, openManage, view } from '../applications/applicants.ts'
import { applyAsBea } from '../applications/application-form.ts'
import { expect, goByLink, olivia, signIn, test } from '../journey.ts'

const iPhone: BrowserContextOptions = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  viewport: { width: 393, height: 852 },
  hasTouch: true,
  isMobile: true,
}

/** Takes away what no browser tab on an iPhone has. */
const withoutPushAndSync = (context: BrowserContext) =>
  context.addInitScript(() => {
    for (const name of ['PushManager', 'SyncManager', 'BackgroundFetchManager']) Reflect.deleteProperty(window, name)
    Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' })
  })

interface Insets {
  readonly top: number
  readonly left: number
  readonly right: number
  readonly bottom: number
}

async function setInsets({ context, page }: { context: BrowserContext; page: Page }, insets: Insets): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
}

/** What can be read or pressed within the window, but lies under the notch, the status bar or the home indicator. */
const outside = (page: Page, { top, left, right, bottom }: Insets) =>
  page.evaluate(
    ([top, left, right, bottom]) => {
      const scope = document.querySelector('dialog:modal') ?? document
      const isScrolled = (element: Element | null, axis: 'X' | 'Y'): boolean => {
        if (element === null || element === document.body) return false
        const size = axis === 'X' ? 'Width' : 'Height'
        const isLonger = element[`scroll${size}`] > element[`client${size}`]
        return (
          (isLonger && getComputedStyle(element)[`overflow${axis}`] === 'auto') ||
          isScrolled(element.parentElement, axis)
        )
      }
      return [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, h1, h2, h3, p')].flatMap(
        (element) => {
          if (
            !element.checkVisibility({ visibilityProperty: true }) ||
            element.closest('.sr-only, [data-radix-focus-guard]')
          )
            return []
          const box = element.getBoundingClientRect()
          if (isScrolled(element, 'X') || box.width === 0 || box.bottom <= 0 || box.top >= innerHeight) return []
          const isFloating = element.closest('.fixed, .sticky, dialog') !== null && !isScrolled(element, 'Y')
          const isClear =
            box.left >= left - 1 &&
            box.right <= innerWidth - right + 1 &&
            (!isFloating || (box.top >= top - 1 && box.bottom <= innerHeight - bottom + 1))
          const isSkipLink = element.getAttribute('href') === '#main'
          return isClear || isSkipLink
            ? []
            : [
                `${element.tagName} "${(element.textContent ?? '').slice(0, 40)}" at ${Math.round(box.left)}–${Math.round(box.right)}, ${Math.round(box.top)}–${Math.round(box.bottom)}`,
              ]
        },
      )
    },
    [top, left, right, bottom] as const,
  )

test('an iPhone’s browser says what it cannot do before it is asked to @nightly', async ({ device, db }) => {
  const { context, page } = await device(iPhone)
  await withoutPushAndSync(context)
  await signIn(page, olivia)
  await expect(page.getByText('Add Beaconry to your home screen first')).toBeVisible()
  await expect(page.getByText('they do not move to the app')).toHaveCount(0)

  const { eventId, pending } = await busiestEvent(db)
  await openManage(page, eventId, pending[0])
  await context.setOffline(true)
  await decide(page, pending[0], 'Approve')
  await goByLink(page, '/sync')
  await expect(page.getByText('They are sent while Beaconry is open. Open it online within a week')).toBeVisible()
  await goByLink(page, '/profile')
  await expect(page.getByText('To get alerts here, add Beaconry to your home screen first.')).toBeVisible()
  await expect(page.getByText('Your unsent changes stay in this browser').first()).toBeVisible()
})

test('a volunteer on an iPhone learns that the app does not know their application @nightly', async ({
  device,
  db,
}) => {
  const { context, page } = await device({ ...iPhone, serviceWorkers: 'block' })
  await withoutPushAndSync(context)
  await applyAsBea(page, db)
  const news = page.getByRole('region', { name: 'News on this device' })
  await expect(news).toContainText('copy your private link below and add Beaconry to your home screen')
  await expect(news).toContainText('Your application links stay in this browser: they do not move to the app.')
})

test('on an iPhone nothing lies under the notch or the home indicator @nightly', async ({ device, db }) => {
  const phone = await openBusiest({ device, db }, { ...iPhone, serviceWorkers: 'block' })
  const { page, eventId, pending } = phone
  const [ana, ben] = pending

  const upright = { top: 59, left: 0, right: 0, bottom: 34 }
  await setInsets(phone, upright)
  await decide(page, ana, 'Approve')
  await expect(button(page, ana, 'Undo for')).toBeVisible()
  expect(await outside(page, upright)).toEqual([])
  await view(page, ben)
  expect(await outside(page, upright)).toEqual([])
  await page.keyboard.press('Escape')

  const onItsSide = { top: 0, left: 59, right: 59, bottom: 21 }
  await page.setViewportSize({ width: 852, height: 393 })
  await setInsets(phone, onItsSide)
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).paddingLeft)).toBe('59px')
  await decide(page, ben, 'Reject')
  expect(await outside(page, onItsSide)).toEqual([])
  await page.getByRole('button', { name: 'Open menu' }).click()
  expect(await outside(page, onItsSide)).toEqual([])
  for (const address of ['/', '/dashboard', `/events/${eventId}`, '/auth', '/nowhere']) {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await outside(page, onItsSide), address).toEqual([])
  }
})
