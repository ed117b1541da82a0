import { afterEach, describe, expect, it, vi } from 'vitest'
import { browserLimits, whenSent, whyEmpty } from './browser-limits.ts'

function stubBrowser({ vendor, standalone }: { vendor: string; standalone: boolean }) {
  vi.stubGlobal('navigator', { vendor })
  vi.stubGlobal('matchMedia', () => ({ matches: standalone }))
}

afterEach(() => vi.unstubAllGlobals())

describe('what screens promise', () => {
  it('names a page that must stay open where there is no Background Sync', () => {
    stubBrowser({ vendor: '', standalone: false })
    expect(whenSent(browserLimits())).toContain('while Beaconry is open')
  })
  it('lets the page be closed where there is Background Sync', () => {
    stubBrowser({ vendor: 'Google Inc.', standalone: false })
    vi.stubGlobal('SyncManager', () => undefined)
    expect(whenSent(browserLimits())).toContain('even after you close Beaconry')
    expect(whyEmpty(browserLimits())).toBe('')
  })
  it('names the week after which an iPhone’s browser clears a website', () => {
    stubBrowser({ vendor: 'Apple Computer, Inc.', standalone: false })
    expect(whenSent(browserLimits())).toContain('within a week')
    expect(whyEmpty(browserLimits())).toContain('not opened for a week')
  })
  it('says of a new app on an iPhone’s home screen that the browser still has its data', () => {
    stubBrowser({ vendor: 'Apple Computer, Inc.', standalone: true })
    expect(whenSent(browserLimits())).not.toContain('week')
    expect(whyEmpty(browserLimits())).toContain('still there')
  })
})
