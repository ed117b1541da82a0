import { terms, termsUpdatedDate } from './content/terms.ts'
import { usePageTitle } from '../page/page-title.ts'
import { LegalText } from './reading/legal-text.tsx'

/** What is expected of whom. */
export function TermsScreen() {
  usePageTitle('Terms')
  return <LegalText title="Terms" updatedDate={termsUpdatedDate} passages={terms} />
}
