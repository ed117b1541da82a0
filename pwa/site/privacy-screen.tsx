import { privacy, privacyInShort, privacyUpdatedDate } from './content/privacy.ts'
import { Card } from '../ui/card.tsx'
import { usePageTitle } from '../page/page-title.ts'
import { LegalText } from './reading/legal-text.tsx'

/** What is stored where, who sees it, and for how long. */
export function PrivacyScreen() {
  usePageTitle('Privacy')
  return (
    <LegalText title="Privacy" updatedDate={privacyUpdatedDate} passages={privacy}>
      <Card as="section" tone="signal" aria-labelledby="in-short" className="mb-10 max-w-prose">
        <h2 id="in-short" className="text-xl">
          In short
        </h2>
        <ul className="mt-3 flex list-disc flex-col gap-2 pl-5">
          {privacyInShort.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Card>
    </LegalText>
  )
}
