import type { RunOptions } from 'axe-core'
import type { BrowserContextOptions, Locator, Page } from 'playwright/test'
import { fullSize, sized } from '../../../sync-server/testing/proof-size.ts'
import { findings } from '../axe.ts'
import { readOverflow } from '../conformance/seen-screens.ts'
import { movedByItself } from '../layout-shifts.ts'
import { checkoutScreens } from '../billing/checkout-screens.ts'
import { endUndoWindow, holdOn } from '../applications/applicants.ts'
import { expect, olivia, signIn, test, type PersonalDevice } from '../journey.ts'
import { findDemoIds, parkAnApproval, viewers, type Viewer } from '../screens.ts'
import { signUp } from '../accounts/sign-up.ts'
import { test as payingTest } from '../billing/stripe-stage.ts'

/**
 * Interactive things too small for a finger: under 44 px, also counting what answers around them (a label, an unseen
 * margin). Links inside a sentence are exempt (WCAG 2.5.8, inline).
 */
async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const least = 43.5
    const isInline = (element: Element) =>
      element.tagName === 'A' &&
      getComputedStyle(element).display === 'inline' &&
      (element.parentElement?.textContent ?? '').trim() !== (element.textContent ?? '').trim()
    const answersFor = (element: Element, hit: Element | null): boolean => {
      if (!hit) return false
      if (element.contains(hit)) return true
      return [...((element as HTMLInputElement).labels ?? [])].some((label) => label.contains(hit))
    }
    const reach = (element: Element, step: number, horizontal: boolean): number => {
      const box = element.getBoundingClientRect()
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      let length = 0
      while (
        length <= 44 &&
        answersFor(
          element,
          document.elementFromPoint(horizontal ? x + step * length : x, horizontal ? y : y + step * length),
        )
      )
        length += 0.5
      return length
    }
    // What stands behind a dialog or an open menu cannot be pressed.
    const scope = document.querySelector('dialog:modal, [role="menu"][data-state="open"]') ?? document
    const targets = scope.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role="tab"], [role="menuitem"], [role="switch"]',
    )
    return [...targets].flatMap((element) => {
      if (
        !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
        element.closest('.sr-only, [aria-hidden="true"], [inert]')
      )
        return []
      if (element.getBoundingClientRect().bottom < 0 || isInline(element)) return []
      const before = element.getBoundingClientRect()
      if (before.width >= least && before.height >= least) return []
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      const width = Math.max(before.width, reach(element, 1, true) + reach(element, -1, true))
      const height = Math.max(before.height, reach(element, 1, false) + reach(element, -1, false))
      if (width >= least && height >= least) return []
      return [
        `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.innerText).trim()}" ${Math.round(width)}×${Math.round(height)}`,
      ]
    })
  })
}

/** Fields whose text is below 16 px: an iPhone zooms into them. */
const smallFields = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('input:not([type=checkbox], [type=radio], [type=file]), select, textarea')].flatMap(
      (field) => {
        const size = Number.parseFloat(getComputedStyle(field).fontSize)
        return size < 16 ? [`${field.tagName} "${field.getAttribute('name') ?? ''}" writes in ${size} px`] : []
      },
    ),
  )

/** Presses Tab through the page and names what shows no sign of having the focus. */
async function unseenFocus(page: Page): Promise<string[]> {
  const missing: string[] = []
  await page.evaluate(() => {
    window.scrollTo(0, 0)
    const { activeElement } = document
    if (activeElement instanceof HTMLElement) activeElement.blur()
  })
  const seen = new Set<string>()
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const marked = (candidate: Element | null): boolean => {
        if (!candidate) return false
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(candidate)
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/,\s*0\)|\/ 0\)/.test(outlineColor)
      }
      const all = [...document.querySelectorAll('*')]
      const wrapper = element.closest('.input, .card-link-card, label, [data-row], li, article')
      const around = getComputedStyle(element, '::after')
      const shown =
        marked(element) ||
        marked(wrapper) ||
        (around.outlineStyle !== 'none' && Number.parseFloat(around.outlineWidth) >= 2)
      return {
        place: String(all.indexOf(element)),
        shown,
        name: `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}"`,
      }
    })
    if (!focus || seen.has(focus.place)) break
    seen.add(focus.place)
    if (!focus.shown) missing.push(focus.name)
  }
  return missing
}

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

type Check = (page: Page) => Promise<string[]>

/**
 * Screens that have between them what screens are made of: forms, lists, a dialog, a table, cards. All of them, the seventy
 * others included, take three minutes in one theme.
 */
const sampleOfScreens = new Set([
  'landing',
  'sign-in',
  'event',
  'apply',
  'admin',
  'dashboard',
  'manage',
  'manage-view',
  'profile',
])

interface Looked {
  /** Whose screens. */
  readonly isLookedAt?: (viewer: Viewer['name']) => boolean
  readonly isWhole?: boolean
}

/** Runs a check on every screen: the visitor's, the organizer's, and the list with a refused change; or on the sample. */
async function onEveryScreen(
  device: (options?: BrowserContextOptions) => Promise<PersonalDevice>,
  options: BrowserContextOptions,
  ids: Awaited<ReturnType<typeof findDemoIds>>,
  check: Check,
  { isLookedAt = () => true, isWhole = fullSize }: Looked = {},
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const note = async (name: string, page: Page) => {
    const list = await check(page)
    if (list.length > 0) found[name] = list
  }
  // The app brings a reloaded page back to where it was; here every screen is looked at from its top.
  const looking = async () => {
    const one = await device({ serviceWorkers: isWhole ? 'allow' : 'block', ...options })
    await one.page.addInitScript(() => sessionStorage.removeItem('beaconry/scroll'))
    return one
  }
  for (const { name: viewer, comeIn, screens } of viewers(ids)) {
    if (!isLookedAt(viewer)) continue
    const looked = screens.filter(({ name }) => isWhole || sampleOfScreens.has(name))
    if (looked.length === 0) continue
    const { page } = await looking()
    await comeIn(page)
    for (const screen of looked) {
      await screen.open(page)
      await note(screen.name, page)
    }
  }
  if (!isWhole || !isLookedAt('an organizer')) return found
  const refused = await looking()
  await parkAnApproval(refused, ids.managed)
  // What came while it was looked at has moved the page; asked here is how it loads.
  await refused.page.reload()
  await refused.page.getByRole('list', { name: 'Needs attention' }).waitFor()
  await note('sync-parked', refused.page)
  return found
}

/** What depends on the theme; everything else is the same page. */
const rulesAboutColour: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** What axe finds in the light and, in the full size, what the dark changes. */
async function findingsInThemes(page: Page): Promise<string[]> {
  const inTheme = async (colorScheme: 'light' | 'dark', theme: string, rules?: RunOptions) => {
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction(
      // Chromium lists transitions of what is not in sight after they have finished.
      (wanted) =>
        document.documentElement.dataset['theme'] === wanted &&
        document.getAnimations().every(({ playState }) => playState === 'finished'),
      theme,
    )
    return (await findings(page, rules)).map((finding) => `${colorScheme}: ${finding}`)
  }
  const light = await inTheme('light', 'beaconry')
  return fullSize ? [...light, ...(await inTheme('dark', 'beaconry-dark', rulesAboutColour))] : light
}

const movedMuch: Check = async (page) => {
  const moved = await movedByItself(page)
  return moved > 0.1 ? [`moved by ${moved.toFixed(3)} while it loaded`] : []
}

/** What can be pressed and has something else over a part of it: the place that would be pressed is not its own. */
const covered: Check = (page) =>
  page.evaluate(() => {
    const scope = document.querySelector('dialog:modal, [role="menu"][data-state="open"]') ?? document
    const targets = scope.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role="tab"]',
    )
    const inner = [0.1, 0.5, 0.9]
    return [...targets].flatMap((element) => {
      if (
        !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
        element.closest('.sr-only, [aria-hidden="true"], [inert]') ||
        element.matches('.sr-only, :disabled')
      )
        return []
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      // Of a link over two lines.
      return [...element.getClientRects()].flatMap((box) => {
        const over = inner
          .flatMap((x) =>
            inner.map((y) => document.elementFromPoint(box.left + box.width * x, box.top + box.height * y)),
          )
          .find(
            (hit) =>
              hit !== null &&
              !element.contains(hit) &&
              !hit.contains(element) &&
              // The eye of a password is a part of its field.
              !(element.tagName === 'INPUT' && element.parentElement?.contains(hit)) &&
              ![...((element as HTMLInputElement).labels ?? [])].some((label) => label.contains(hit)),
          )
        return over
          ? [
              `${over.tagName.toLowerCase()} .${String(over.getAttribute('class')).slice(0, 40)} over "${(element.getAttribute('aria-label') ?? element.innerText).trim().slice(0, 40)}"`,
            ]
          : []
      })
    })
  })

/** Phones, tablets, laptops and walls; a narrow phone and a wide window show most. */
const widths = sized([320, 390, 768, 1280, 1536, 1728, 1920, 2560], [320, 1920])

const atEveryWidth: Check = async (page) => {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 768 ? 844 : 900 })
    const look = async () => {
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      return [...(await page.evaluate(readOverflow)), ...(await covered(page))]
    }
    // A menu that follows its button takes a few frames to its new place.
    const wrong = (await look()).length > 0 ? await look() : []
    found.push(...wrong.map((one) => `${width} px: ${one}`))
  }
  return found
}

/** Makes letters twice as large, as the setting of a system does. */
const atLargeLetters: Check = async (page) => {
  const session = await page.context().newCDPSession(page)
  const setLetters = async (standard: number) =>
    await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: (standard * 13) / 16 } })
  await setLetters(32)
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px')
  // What listens to the width of the screen draws itself once more.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const found = await page.evaluate(readOverflow)
  await setLetters(16)
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '16px')
  return found.map((one) => `letters of 200 %: ${one}`)
}

const sizesAndTargets: Check = async (page) => [
  ...(await movedMuch(page)),
  ...(await page.evaluate(readOverflow)),
  ...(await smallTargets(page)),
  ...(await smallFields(page)),
]

const everything: Check = async (page) => [...(await sizesAndTargets(page)), ...(await findingsInThemes(page))]
const onPhone: Check = async (page) => [...(await everything(page)), ...(await atLargeLetters(page))]

test.describe('on every screen', () => {
  // Each takes minutes: side by side, or one worker would end the run alone.
  test.describe.configure({ mode: 'parallel', timeout: 900_000 })

  for (const [who, organizer] of [
    ['an organizer', true],
    ['anybody else', false],
  ] as const) {
    const isLookedAt = (viewer: Viewer['name']) => (viewer === 'an organizer') === organizer

    test(`axe finds nothing on a phone of ${who}; fingers and large letters fit`, async ({ device, db }) => {
      expect(await onEveryScreen(device, phone, await findDemoIds(db), onPhone, { isLookedAt })).toEqual({})
    })

    test(`nothing lies over what ${who} can press, nor sticks out, at any width`, async ({ device, db }) => {
      const looked = { isLookedAt, isWhole: true }
      expect(await onEveryScreen(device, desktop, await findDemoIds(db), atEveryWidth, looked)).toEqual({})
    })
  }

  test('axe finds nothing on a desktop, targets are 44 px, nothing moves @nightly', async ({ device, db }) => {
    expect(await onEveryScreen(device, desktop, await findDemoIds(db), everything)).toEqual({})
  })

  test('on a narrow phone targets are 44 px, nothing sticks out or moves @nightly', async ({ device, db }) => {
    const narrow: BrowserContextOptions = { ...phone, viewport: { width: 320, height: 640 } }
    expect(await onEveryScreen(device, narrow, await findDemoIds(db), sizesAndTargets)).toEqual({})
  })

  test('whoever comes along with the Tab key sees where they are @nightly', async ({ device, db }) => {
    expect(await onEveryScreen(device, desktop, await findDemoIds(db), unseenFocus)).toEqual({})
  })
})

test('with the colours of a contrast theme what is chosen looks unlike the rest @nightly', async ({ device, db }) => {
  const { managed } = await findDemoIds(db)
  const { page } = await device({ ...desktop, forcedColors: 'active' })
  await signIn(page, olivia)
  const groundOf = (target: Locator) => target.first().evaluate((element) => getComputedStyle(element).backgroundColor)
  const chips = page.getByRole('group')
  await page.goto(`/events/manage/${managed}`)
  const select = page.getByRole('button', { name: 'Select', exact: true })
  // The grounds of a theme differ in their alpha, too, which nobody sees: only the system's own colour is a mark.
  const chosen = await select.evaluate((button) => {
    const probe = button.parentElement!.appendChild(document.createElement('i'))
    probe.style.cssText = 'forced-color-adjust: none; background-color: Highlight'
    const { backgroundColor } = getComputedStyle(probe)
    probe.remove()
    return backgroundColor
  })
  expect(await groundOf(select)).not.toBe(chosen)
  await select.click()
  await expect(select).toHaveAttribute('aria-pressed', 'true')
  expect(await groundOf(select)).toBe(chosen)
  expect(await groundOf(chips.getByRole('button', { pressed: true }))).toBe(chosen)
  expect(await groundOf(chips.getByRole('button', { pressed: false }))).not.toBe(chosen)
  await page.goto(`/events/${managed}/customize`)
  expect(await groundOf(page.getByRole('tab', { selected: true }))).toBe(chosen)
  expect(await groundOf(page.getByRole('tab', { selected: false }))).not.toBe(chosen)
})

payingTest('axe finds nothing at the checkout, all is 44 px, nothing sticks out @nightly', async ({ payer }) => {
  payingTest.setTimeout(600_000)
  const found: Record<string, string[]> = {}
  const narrow: BrowserContextOptions = { ...phone, viewport: { width: 320, height: 640 } }
  for (const [size, options] of Object.entries({ narrow, desktop })) {
    const { page } = await payer(options)
    await signUp(page, size)
    for (const screen of checkoutScreens) {
      await screen.open(page)
      const list = [
        ...(await page.evaluate(readOverflow)),
        ...(await smallTargets(page)),
        ...(await smallFields(page)),
        ...(await findingsInThemes(page)),
      ]
      if (list.length > 0) found[`${screen.name} ${size}`] = list
    }
  }
  expect(found).toEqual({})
})

/** Presses Tab until something has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${String(target)}`)
}

/** What the unseen lines for screen readers say now. */
const said = (page: Page) => page.locator('.sr-only > output').allInnerTexts()

test('the keyboard alone signs in, finds the event and decides; every change is said', async ({ device, db }) => {
  // Another event's day: today's would lead to itself instead of the inbox.
  const [today] = await db('events').where({ name: 'Portland Makers Evening' }).pluck('id')
  await holdOn(db, today, [5, 5])
  const { page } = await device({ ...desktop, serviceWorkers: 'block' })
  await page.goto('/auth')
  await tabTo(page, page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Email'))
  await page.keyboard.type(olivia.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(olivia.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await tabTo(page, page.getByRole('link', { name: 'Review' }))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/inbox')

  const rows = page.locator('[data-row]')
  await rows.first().waitFor()
  const shown = await rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-row'))))
  const [first, second, third] = shown as [number, number, number]
  const row = (id: number) => page.locator(`[data-row="${id}"]`)
  const { firstName, lastName } = await db('applications')
    .where({ id: first })
    .first<{ firstName: string; lastName: string }>()
  const name = `${firstName} ${lastName}`

  await page.keyboard.press('j')
  await expect(row(first)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('a')
  await expect(row(first)).toContainText('Approved')
  await expect.poll(() => said(page)).toContain(`Approved ${name}. Undo is available.`)
  await page.keyboard.press('u')
  await expect(row(first)).toContainText('Pending')
  await expect.poll(() => said(page)).toContain(`Undone for ${name}.`)

  await tabTo(page, row(second).getByRole('button', { name: /^Approve / }))
  await page.keyboard.press('Enter')
  await expect(row(second)).toContainText('Approved')
  await expect(row(second).getByRole('button', { name: /^Undo/ }), 'the focus stays with whoever decided').toBeFocused()
  await page.keyboard.press('Escape')
  await tabTo(page, row(third).getByRole('button', { name: /^View / }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: /^Reject / }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row(third)).toContainText('Rejected')

  await endUndoWindow(page)
  await expect.poll(() => said(page)).toContain('Everything is saved online.')
  const statusOf = async (id: number) =>
    (await db('applications').where({ id }).first<{ status: string }>('status')).status
  expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([
    'pending',
    'approved',
    'rejected',
  ])
})
