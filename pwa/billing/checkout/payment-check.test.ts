import { afterEach, describe, expect, it, vi } from 'vitest'
import { headers } from '#shared/contract/request.ts'
import { checkOfStatus, checkPayment } from './payment-check.ts'

const returned = { intent: 'pi_1', clientSecret: 'pi_1_secret' }
const says = (status: string) => async () => async () => status
const failure = (message: string) => ({ state: 'failure', message })

/** What the server says its billing mode is. */
function answer(mode: { mode: 'demo' | 'live'; publishableKey: string | null }): void {
  vi.stubGlobal('fetch', async () => Response.json(mode, { headers: { [headers.serverVersion]: '1' } }))
}
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

  it('cannot be told where no card is charged', async () => {
    answer({ mode: 'demo', publishableKey: null })
    expect(await checkPayment(returned, says('succeeded'))).toEqual(
      failure('Could not initialize payment provider. Please try again.'),
    )
  })

  it('is a success only when it succeeded', async () => {
    answer({ mode: 'live', publishableKey: 'pk_test_1' })
    expect(await checkPayment(returned, says('succeeded'))).toEqual({ state: 'success' })
    expect(await checkPayment(returned, says('processing'))).toEqual(
      failure('Payment was not completed. Status: processing'),
    )
  })

  it('cannot be told when the provider cannot be reached', async () => {
    answer({ mode: 'live', publishableKey: 'pk_test_1' })
    const check = await checkPayment(returned, async () => await Promise.reject(new Error('Failed to load Stripe.js')))
    expect(check).toEqual(failure('Could not initialize payment provider. Please try again.'))
  })

  it('is asked of support when the provider does not say', async () => {
    answer({ mode: 'live', publishableKey: 'pk_test_1' })
    const check = await checkPayment(
      returned,
      async () => async () => await Promise.reject(new Error('no such intent')),
    )
    expect(check).toEqual(failure('An error occurred while checking payment status. Please contact support.'))
  })

  it('is asked of support when asking fails', async () => {
    vi.stubGlobal('fetch', async () => await Promise.reject(new TypeError('no network')))
    expect(await checkPayment(returned)).toEqual(
      failure('An error occurred while checking payment status. Please contact support.'),
    )
  })

  it.each(['requires_payment_method', 'canceled', 'processing', ''])('with status "%s" is a failure', (status) => {
    expect(checkOfStatus(status).state).toBe('failure')
  })
})
