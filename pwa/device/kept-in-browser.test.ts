import { describe, expect, it } from 'vitest'
import { staysText } from './kept-in-browser.ts'

const nothing = { changes: false, drafts: false, applications: false }

describe('before Beaconry is added to an iPhone’s home screen', () => {
  it('what stays in the browser is named', () => {
    expect(staysText({ ...nothing, drafts: true })).toBe(
      'Your drafts stay in this browser: they do not move to the app.',
    )
    expect(staysText({ changes: true, drafts: true, applications: true })).toBe(
      'Your unsent changes, drafts, and application links stay in this browser: they do not move to the app.',
    )
  })
  it('nothing is said where nothing is kept', () => {
    expect(staysText(nothing)).toBeNull()
  })
})
