import type { Appearance, Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useSyncExternalStore } from 'react'
import type { OpenProvider } from './payment-check.ts'

/** The provider's script has loaded and rejected our key. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}

let opened: { readonly publishableKey: string; readonly stripe: Stripe } | undefined
// They would gather more about the visit than a card's own checks need.
loadStripe.setLoadParameters({ advancedFraudSignals: false })
// With parameters set, the loader waits for ever on a script that failed before (stripe-js 10.2).
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement && target.src.startsWith('https://js.stripe.com/')) target.remove()
  },
  true,
)

/** @throws ProviderRefused when it rejects our key; any other error when its script does not load */
export async function openProvider(publishableKey: string): Promise<Stripe> {
  if (opened?.publishableKey === publishableKey) return opened.stripe
  const stripe = await loadStripe(publishableKey).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('Failed to load')) throw error
    throw new ProviderRefused('Could not initialize payment provider', { cause: error })
  })
  if (!stripe) throw new ProviderRefused('Could not initialize payment provider')
  opened = { publishableKey, stripe }
  return stripe
}

/** @throws when the provider does not say */
export async function statusOfPayment(stripe: Stripe, clientSecret: string): Promise<string> {
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret)
  if (!paymentIntent) throw new Error(error.message ?? error.type)
  return paymentIntent.status
}

export const openForStatus: OpenProvider = async (publishableKey) => {
  const stripe = await openProvider(publishableKey)
  return async (clientSecret) => await statusOfPayment(stripe, clientSecret)
}

/** As red, green and blue: the provider's frame knows no other colours. */
function rgbOf(colour: string): string {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) return colour
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}

/** Gives the provider's own frame the painted theme's colours, corners and sizes. */
function currentAppearance(): Appearance {
  const tokens = getComputedStyle(document.documentElement)
  const colour = (name: string) => rgbOf(tokens.getPropertyValue(name).trim())
  const text = colour('--color-base-content')
  const muted = colour('--ui-muted')
  const edge = colour('--ui-edge')
  const signal = colour('--ui-signal')
  const error = colour('--color-error')
  return {
    theme: 'stripe',
    labels: 'above',
    disableAnimations: matchMedia('(prefers-reduced-motion: reduce)').matches,
    variables: {
      // Our typeface would have to be served to the frame from elsewhere.
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
      fontSizeBase: '17px',
      fontSizeSm: '15px',
      fontWeightMedium: '600',
      spacingUnit: '4px',
      gridRowSpacing: '16px',
      gridColumnSpacing: '16px',
      borderRadius: '10px',
      colorPrimary: signal,
      colorBackground: colour('--color-base-100'),
      colorText: text,
      colorTextSecondary: muted,
      colorTextPlaceholder: muted,
      colorDanger: error,
      iconColor: muted,
    },
    rules: {
      '.Label': { fontSize: '15px', fontWeight: '600', color: text, marginBottom: '6px' },
      '.Input': { border: `1px solid ${edge}`, boxShadow: 'none', padding: '11px 12px', lineHeight: '22px' },
      '.Input:focus': { border: `1px solid ${text}`, boxShadow: 'none', outline: `3px solid ${signal}` },
      '.Input--invalid': { border: `2px solid ${error}`, boxShadow: 'none', color: text },
      '.Error': { fontSize: '15px', marginTop: '6px' },
      '.Block, .Tab': { border: `1px solid ${edge}`, boxShadow: 'none' },
    },
  }
}

function watchTheme(changed: () => void): () => void {
  const watching = new MutationObserver(changed)
  watching.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => watching.disconnect()
}

let made: { readonly theme: string | undefined; readonly appearance: Appearance } | undefined

function appearanceNow(): Appearance {
  const { theme } = document.documentElement.dataset
  if (made?.theme !== theme || !made) made = { theme, appearance: currentAppearance() }
  return made.appearance
}

export function useAppearance(): Appearance {
  return useSyncExternalStore(watchTheme, appearanceNow)
}
