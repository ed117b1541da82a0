import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const screens = readdirSync(new URL('../', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(tsx|html|css)$/.test(path) && !path.includes('.test.'))
  .map((path) => ({ path, text: read(path) }))

/** The places in screens and styles that match, each named by its file. */
const findAll = (pattern: RegExp) =>
  screens.flatMap(({ path, text }) => (text.match(pattern) ?? []).map((found) => `${path}: ${found}`))

describe.each(['index.html', 'checkout.html'])('the document %s', (name) => {
  const html = read(name)
  it('reaches below the status bar and the home indicator', () => {
    expect(html).toContain('viewport-fit=cover')
    expect(html).toContain('<meta name="apple-mobile-web-app-status-bar-style" content="black-translucent" />')
  })
  it('opens as an app from an iPhone’s home screen, with its name and icon', () => {
    expect(html).toContain('<meta name="apple-mobile-web-app-capable" content="yes" />')
    expect(html).toContain('<meta name="apple-mobile-web-app-title" content="Beaconry" />')
    const icon = /rel="apple-touch-icon" href="([^"]+)"/.exec(html)?.[1]
    const png = readFileSync(new URL(`../../public${icon}`, import.meta.url))
    // The header of a PNG names its width and height in bytes 16 to 24.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([180, 180])
  })
})

describe('screens on a phone', () => {
  it('are as high as what the browser’s bars leave', () => {
    expect(findAll(/\b(?:100vh|(?:min-|max-)?h-screen)\b/g)).toEqual([])
  })
  it('do not hide anything until a mouse hovers', () => {
    expect(
      findAll(/\bhover:(?:visible|block|inline|flex|grid|contents|not-sr-only|opacity|scale|h-|w-)[\w-]*/g),
    ).toEqual([])
  })
  it('keep bars at an edge clear of the notch and the home indicator', () => {
    const atAnEdge = findAll(/["'`][^"'`\n]*(?<![\w-])(?:fixed|sticky)(?![\w-])[^"'`\n]*\b(?:top|bottom)-0\b[^"'`\n]*/g)
    expect(atAnEdge.length).toBeGreaterThan(3)
    expect(atAnEdge.filter((classes) => !classes.includes('--safe-'))).toEqual([])
  })
})
