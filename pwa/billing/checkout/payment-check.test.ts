import { afterEach, describe, expect, it, vi } from 'vitest'
import { headers } from '#shared/contract/request.ts'
import { checkPayment } from './payment-check.ts'

const returned = { intent: 'pi_1', clientSecret: 'pi_1_secret' }
const says = (status: string) => async () => async () => status
const failure = (message: string) => ({ state: 'failure', message })

/** A server that says what its billing mode is. */
const billing = (mode: 'demo' | 'live', publishableKey: string | null) => async () =>
  Response.json({ mode, publishableKey }, { headers: { [headers.serverVersion]: '1' } })
const demo = billing('demo', null)
const live = billing('live', 'pk_test_1')
afterEach(() => vi.unstubAllGlobals())

describe('what became of a card payment', () => {
  it.each([
    [{ intent: null, clientSecret: null }],
    [{ ...returned, clientSecret: null }],
    [{ ...returned, intent: '' }],
    [{ ...returned, intent: 'pi_2' }],
  ])('cannot be told without its identifiers', async (identifiers) => {
    expect(await checkPayment(identifiers)).toEqual(failure('Payment information not found. Please try again.'))
  })

  const notReady = 'Could not initialize payment provider. Please try again.'
  const notTold = 'An error occurred while checking payment status. Please contact support.'
  const fails = async () => await Promise.reject(new Error('no network'))
  it.each([
    ['cannot be told where no card is charged', demo, says('succeeded'), failure(notReady)],
    ['is a success when it succeeded', live, says('succeeded'), { state: 'success' }],
    [
      'is none while it is processed',
      live,
      says('processing'),
      failure('Payment was not completed. Status: processing'),
    ],
    ['cannot be told when the provider cannot be reached', live, fails, failure(notReady)],
    ['is asked of support when the provider does not say', live, async () => fails, failure(notTold)],
    ['is asked of support when asking fails', fails, says('succeeded'), failure(notTold)],
  ])('%s', async (_, server, provider, expected) => {
    vi.stubGlobal('fetch', server)
    expect(await checkPayment(returned, provider)).toEqual(expected)
  })
})
