import { usePageTitle } from '../ui/page/page-title.ts'
import { LegalPage } from './legal-page.tsx'

export function TermsScreen() {
  usePageTitle('Terms')
  return <LegalPage of="terms" title="Terms" />
}
