import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { goToDashboardSoon, PaymentOutcome } from './payment-outcome.tsx'
import type { PaymentCheck } from './payment-check.ts'

const shown = (check: PaymentCheck) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <PaymentOutcome check={check} />
    </MemoryRouter>,
  )

describe('the payment status', () => {
  it('leads back from one that did not', () => {
    const html = shown({ state: 'failure', message: 'Payment was not completed. Status: canceled' })
    expect(html).toContain('Payment was not completed. Status: canceled')
    expect(html).toMatch(/href="\/pricing"[^>]*>Try Again</)
    expect(html).toMatch(/href="\/"[^>]*>Return Home</)
  })
})

describe('a successful payment', () => {
  afterEach(() => void vi.useRealTimers())

  it('leads to the dashboard after three seconds, in place of the checkout', () => {
    vi.useFakeTimers()
    const navigate = vi.fn()
    goToDashboardSoon(navigate)
    vi.advanceTimersByTime(2_999)
    expect(navigate).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(navigate.mock.calls).toEqual([['/dashboard', { replace: true }]])
  })

  it('leads nowhere once its page was left', () => {
    vi.useFakeTimers()
    const navigate = vi.fn()
    goToDashboardSoon(navigate)()
    vi.advanceTimersByTime(60_000)
    expect(navigate).not.toHaveBeenCalled()
  })
})
