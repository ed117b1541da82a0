import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { freePort } from '../../sync-server/testing/server-process.ts'
import { startGuarded } from './guarded-process.ts'

/** WebKit, the engine of every iPhone, driven by W3C WebDriver: WebKitGTK in a window on a display of its own. */
export type WebKit = Awaited<ReturnType<typeof startWebKit>>

interface Size {
  readonly width: number
  readonly height: number
}

const driverPath = () => process.env['WEBKIT_DRIVER_PATH'] ?? '/usr/bin/WebKitWebDriver'

/** A new browser with empty storage. */
export async function startWebKit({ width, height }: Size = { width: 390, height: 844 }) {
  const programs: Program[] = []
  const close = () => programs.forEach((program) => program.kill())
  try {
    const display = await startDisplay(programs)
    const origin = await startDriver(programs, display)
    const { sessionId } = await ask<{ sessionId: string }>(
      'POST',
      `${origin}/session`,
      {
        capabilities: {
          alwaysMatch: {
            pageLoadStrategy: 'none',
            timeouts: { script: 60_000 },
            // The window's toolbar is wider than a phone.
            'webkitgtk:browserOptions': { args: ['--automation', '--full-screen'] },
          },
        },
      },
      startPatienceMs,
    )
    const session = `${origin}/session/${sessionId}`
    const resize = (size: Size) => ask('POST', `${session}/window/rect`, { x: 0, y: 0, ...size })
    await resize({ width, height })
    const evaluate = async <A extends unknown[], R>(run: (...args: A) => R | Promise<R>, ...args: A): Promise<R> => {
      const script = `const done = arguments[arguments.length - 1]
        Promise.resolve().then(() => (${run.toString()})(...arguments[0]))
          .then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const outcome = await ask<{ value?: R; error?: string }>('POST', `${session}/execute/async`, {
        script,
        args: [args],
      })
      if (outcome.error !== undefined) throw new Error(outcome.error)
      return outcome.value as R
    }
    /** @returns the window of before */
    const goToWindow = async (handle: string) => {
      const before = await ask<string>('GET', `${session}/window`)
      await ask('POST', `${session}/window`, { handle })
      return before
    }
    return {
      /** Goes to an address as the address bar does, and resolves when the old page is gone. */
      async open(address: string): Promise<void> {
        await evaluate(() => void Object.assign(window, { isLeft: true }))
        await ask('POST', `${session}/url`, { url: address })
        await retry(async () => {
          if (await evaluate(() => 'isLeft' in window)) throw new Error(`${address} does not open`)
        })
      },
      /** Runs a function in the page; it sees its arguments alone. */
      evaluate,
      /** Presses the first element that fits, once it is there. WebDriver's own click misses what moves. */
      press: (selector: string) =>
        retry(() =>
          evaluate((wanted) => {
            const element = document.querySelector<HTMLElement>(wanted)
            if (!element || element.matches(':disabled')) throw new Error(`${wanted} cannot be pressed`)
            element.click()
          }, selector),
        ),
      /** Presses what has exactly this name, inside the first element that fits, once it is there. */
      pressNamed: (name: string, within = 'body') =>
        retry(() =>
          evaluate(
            (wanted, container) => {
              const element = [
                ...(document.querySelector(container)?.querySelectorAll<HTMLElement>('button, a, [role="tab"]') ?? []),
              ].find(
                (one) =>
                  (one.getAttribute('aria-label') ?? one.textContent).trim() === wanted &&
                  one.checkVisibility({ visibilityProperty: true }) &&
                  !one.matches(':disabled'),
              )
              if (!element) throw new Error(`${wanted} cannot be pressed`)
              element.click()
            },
            name,
            within,
          ),
        ),
      /** Types into the first element that fits, behind what is there. */
      type: (selector: string, text: string) =>
        retry(async () => {
          const wish = { using: 'css selector', value: selector }
          const [element] = Object.values(await ask<Record<string, string>>('POST', `${session}/element`, wish))
          await ask('POST', `${session}/element/${element}/value`, { text })
        }),
      /** Opens another window of this browser, in which everything happens from now on. @returns the window of before */
      async openWindow(): Promise<string> {
        const { handle } = await ask<{ handle: string }>('POST', `${session}/window/new`, { type: 'tab' })
        return await goToWindow(handle)
      },
      goToWindow,
      /** Gives the page another size. */
      resize,
      async screenshot(file: string): Promise<void> {
        writeFileSync(file, Buffer.from(await ask<string>('GET', `${session}/screenshot`), 'base64'))
      },
      async close(): Promise<void> {
        await ask('DELETE', session).catch(() => undefined)
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

type Program = ReturnType<typeof startGuarded>

/** @returns what `DISPLAY` is to say */
async function startDisplay(programs: Program[]): Promise<string> {
  const args = ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp']
  const display = startGuarded('/usr/bin/Xvfb', args)
  programs.push(display)
  const [number] = (await Promise.race([once(display.output, 'data'), display.ended])) as [Buffer]
  return `:${number.toString().trim()}`
}

async function startDriver(programs: Program[], display: string): Promise<string> {
  const port = await freePort()
  // Fields of dates and times are written as this language writes them.
  const env = { ...process.env, DISPLAY: display, LANG: 'en_US.UTF-8' }
  const driver = startGuarded(driverPath(), ['--host=127.0.0.1', `--port=${port}`], env)
  programs.push(driver)
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    const isReady = await Promise.race([
      ask('GET', `${origin}/status`).then(
        () => true,
        () => false,
      ),
      driver.ended,
    ])
    if (isReady) return origin
    await pause()
  }
}

async function retry(run: () => Promise<void>): Promise<void> {
  for (const deadline = performance.now() + retryMs; ; await pause()) {
    try {
      return await run()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

/** A command to a document that is being replaced is never answered. */
const answerPatienceMs = 20_000
const retryMs = 120_000
/** The browser starts beside other journeys. */
const startPatienceMs = 60_000

async function ask<T>(method: string, address: string, body?: object, patienceMs = answerPatienceMs): Promise<T> {
  const signal = AbortSignal.timeout(patienceMs)
  const answer = await fetch(address, { method, signal, ...(body ? { body: JSON.stringify(body) } : {}) })
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } }
  if (!answer.ok) throw new Error(`${method} ${new URL(address).pathname}: ${value.error}: ${value.message}`)
  return value
}
