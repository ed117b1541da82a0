import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followTheme } from '../../device/theme.ts'
import { CheckoutDocument } from './checkout-document.tsx'
import { takeIdentifiers } from './payment-identifiers.ts'
import '../../styles.css'

// First of all: nothing else of this page, not even the provider's script, meets them in the address.
const identifiers = takeIdentifiers()
followTheme()

const root = document.getElementById('root')
if (!root) throw new Error('checkout.html has no #root')
createRoot(root).render(
  <StrictMode>
    <CheckoutDocument identifiers={identifiers} />
  </StrictMode>,
)
