import { describe, expect, it } from 'vitest'
import { appWindowFor } from './app-window.ts'

const chosen = (...addresses: string[]) =>
  appWindowFor(
    '/events/manage/12?from=alert',
    addresses.map((address) => ({ url: `https://beaconry.example${address}` })),
  )?.url.replace('https://beaconry.example', '')

describe('the window in which an alert is opened', () => {
  it('is one that shows the page already, or else the first of the app', () => {
    expect(chosen('/dashboard', '/events/manage/12#list')).toBe('/events/manage/12#list')
    expect(chosen('/dashboard?tab=past', '/inbox')).toBe('/dashboard?tab=past')
    expect(chosen('/')).toBe('/')
  })

  it.each([
    '/checkout?planId=2',
    '/checkout-status',
    '/licenses.txt',
    '/mail-preview',
    '/unsubscribe/abc',
    '/api/docs',
  ])('is never one that shows %s, which does not listen', (address) => {
    expect(chosen(address)).toBeUndefined()
    expect(chosen(address, '/inbox')).toBe('/inbox')
  })
})
