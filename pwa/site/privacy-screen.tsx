import { Card } from '../ui/card.tsx'
import { LegalPage } from './legal-page.tsx'

const privacyInShort: readonly string[] = [
  'No trackers, no advertising, no third party’s scripts near your data.',
  'No cookie before you sign in. Two afterwards: one keeps you signed in, one remembers that this browser is yours.',
  'Only the event’s organizer, and reviewers on their team, see volunteers’ email addresses, phone numbers and answers.',
  'What becomes public, and when, is listed below. It is little, and only after approval.',
]

export function PrivacyScreen() {
  return (
    <LegalPage of="privacy" title="Privacy">
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
    </LegalPage>
  )
}
