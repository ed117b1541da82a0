import { Section } from '../ui/page.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { PlansBlock } from './plans-block.tsx'

const answers = [
  {
    question: 'What uses up an event?',
    answer:
      'Publishing one. Editing is free, however often. An event deleted within a day that never had an application goes back to your plan.',
  },
  {
    question: 'What if I need more?',
    answer: 'Buy another plan at any time. You can hold several, and the oldest one is used first.',
  },
  {
    question: 'What do Beacons pay?',
    answer: 'Nothing. Looking at events, applying and being a Beacon is free and needs no account.',
  },
]

export function PricingScreen() {
  return (
    <TitledPage
      title="Pricing"
      lead="One price for each plan, paid once. Every plan works without a network and includes unlimited Beacons."
    >
      <PlansBlock />
      <div className="mt-12">
        <Section id="good-to-know" title="Good to know">
          <dl className="grid gap-x-10 gap-y-6 md:grid-cols-3">
            {answers.map(({ question, answer }) => (
              <div key={question} className="border-t-2 border-base-content pt-4">
                <dt className="font-semibold">{question}</dt>
                <dd className="mt-1 text-muted">{answer}</dd>
              </div>
            ))}
          </dl>
        </Section>
      </div>
    </TitledPage>
  )
}
