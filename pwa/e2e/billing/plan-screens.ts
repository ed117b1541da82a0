import { fill, press, screen, see, type Screen } from '../screen.ts'

/** What anybody sees of plans and payments. */
export const visitorPlanScreens: readonly Screen[] = [
  screen('pricing', '/pricing', 'Sign Up to Subscribe'),
  screen('checkout-status', '/checkout-status', 'Payment information not found'),
]

/** What an organizer whose plan has room sees of it. */
export const organizerPlanScreens: readonly Screen[] = [
  screen('pricing-signed-in', '/pricing', 'Current Plan'),
  screen('checkout', '/checkout?planId=2&promoCode=WELCOME20', '20% discount: 20% off your first plan'),
  screen('checkout-invalid', '/checkout?planId=99', 'Invalid Plan'),
  screen('subscription', '/subscription', /^Until /),
  screen('manage-subscription', '/manage-subscription', 'You can create events'),
  screen('billing-history', '/billing-history', 'Sample data'),
]

/** What an organizer whose plan is used up sees. */
export const usedUpScreens: readonly Screen[] = [
  screen('analytics-not-in-plan', '/analytics', 'See Plans'),
  screen('dashboard-limit', '/dashboard', /^Limit reached/),
  screen(
    'create-subscription-required',
    '/events/create',
    (page) => page.getByRole('radio', { name: /^Unlimited/ }).check(),
    press('button', 'Have a promo code?'),
    fill('Promo code', 'SPRING10'),
    press('button', 'Apply'),
    'This promo code has expired.',
  ),
  screen('subscription-limit', '/subscription', see('button', /^Subscribe$/)),
  screen('manage-subscription-limit', '/manage-subscription', 'Upgrade Plan'),
]
