export { BillingHistoryScreen } from '../billing/billing-history-screen.tsx'
export { CheckoutScreen } from '../billing/checkout-screen.tsx'
export { ManageSubscriptionScreen } from '../billing/manage-subscription-screen.tsx'
export { SubscriptionScreen } from '../billing/subscription-screen.tsx'
