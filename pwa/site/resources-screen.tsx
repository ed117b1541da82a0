import { Card } from '../ui/card.tsx'
import { Section } from '../ui/page.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { ClosingCall } from './closing-call.tsx'
import { Parts, Questions, type Passage } from './reading.tsx'
import { beaconQuestions, networkingTips, proTips } from './resources.ts'

function TipCards({ tips, columns, tone }: { tips: readonly Passage[]; columns: string; tone?: 'signal' }) {
  return (
    <ul className={`grid gap-4 ${columns}`}>
      {tips.map(({ heading, body }) => (
        <Card key={heading} as="li" tone={tone ?? 'plain'}>
          <h3 className="mb-2 text-xl">{heading}</h3>
          <Parts body={body} />
        </Card>
      ))}
    </ul>
  )
}

export function ResourcesScreen() {
  return (
    <>
      <TitledPage title="Resources" lead="Answers about Beacons, and what helps in a room full of strangers.">
        <Section id="questions" title="Frequently Asked Questions">
          <Questions questions={beaconQuestions} firstOpen />
        </Section>
        <Section id="tips" title="Networking Tips">
          <TipCards tips={networkingTips} columns="sm:grid-cols-2 lg:grid-cols-3" />
        </Section>
        <Section id="pro-tips" title="Pro Tips for Organizers">
          <TipCards tips={proTips} columns="md:grid-cols-2" tone="signal" />
        </Section>
      </TitledPage>
      <ClosingCall />
    </>
  )
}
