import { afterEach, describe, expect, it, vi } from 'vitest'
import { headers } from '#shared/contract/request.ts'
import { loadOffer, readOffer } from './plans.ts'

const plan = { id: 1, name: 'Single', description: '', price: 2000, eventLimit: 1, durationDays: 365 }

describe('the offer kept on this device', () => {
  it('comes back as it was written', () => {
    expect(readOffer(JSON.stringify({ plans: [plan], mode: 'demo' }))).toEqual({ plans: [plan], mode: 'demo' })
  })

  it('with a mode nobody knows is read without one', () => {
    expect(readOffer(JSON.stringify({ plans: [plan], mode: 'other' }))?.mode).toBeNull()
  })

  it.each([
    ['nothing', null],
    ['no JSON', 'plans'],
    ['no list', '{"plans":{}}'],
    ['an empty list', '{"plans":[]}'],
    ['a plan without a price', JSON.stringify({ plans: [{ ...plan, price: undefined }] })],
    ['a price in words', JSON.stringify({ plans: [{ ...plan, price: 'twenty' }] })],
  ])('that is %s counts as none', (_, text) => {
    expect(readOffer(text)).toBeNull()
  })
})

describe('asking what is on sale', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('fails once when the server fails, and does not ask over and over', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return new Response('no', { status: 500, headers: { [headers.serverVersion]: '1' } })
    })
    await loadOffer()
    await Promise.all([loadOffer(), loadOffer()])
    expect(asked.toSorted()).toEqual([
      '/api/billing-mode',
      '/api/billing-mode',
      '/api/subscription-plans',
      '/api/subscription-plans',
    ])
  })
})
