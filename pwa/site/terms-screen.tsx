import { LegalPage } from './legal-page.tsx'

export const TermsScreen = () => <LegalPage of="terms" title="Terms" />
