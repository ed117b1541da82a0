import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { PaymentOutcome } from './payment-outcome.tsx'
import type { PaymentCheck } from './payment-check.ts'

const shown = (check: PaymentCheck) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <PaymentOutcome check={check} />
    </MemoryRouter>,
  )

describe('the payment status', () => {
  it('leads on from a payment that went through', () => {
    const html = shown({ state: 'success' })
    expect(html).toContain('Payment Successful!')
    expect(html).toContain('Your payment was successful and your subscription is now active.')
    expect(html).toMatch(/href="\/dashboard"[^>]*>Go to Dashboard</)
  })

  it('leads back from one that did not', () => {
    const html = shown({ state: 'failure', message: 'Payment was not completed. Status: canceled' })
    expect(html).toContain('Payment was not completed. Status: canceled')
    expect(html).toMatch(/href="\/pricing"[^>]*>Try Again</)
    expect(html).toMatch(/href="\/"[^>]*>Return Home</)
  })
})
