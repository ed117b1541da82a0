import { hasPlans } from '../device/has-plans.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Page, Section } from '../ui/page.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { anchorOf, Questions, Rich, type Question } from './reading.tsx'

interface QuestionGroup {
  readonly title: string
  readonly questions: readonly Question[]
}

const questionGroups: readonly QuestionGroup[] = [
  {
    title: 'Organizers',
    questions: [
      ...(hasPlans()
        ? [
            {
              question: 'What does it cost?',
              answer: [
                'You pay for publishing events, by plan: for one event, for three, or for as many as you like in a year. See [Pricing](/pricing). Applying is free, and so is approving.',
              ],
            },
          ]
        : []),
      {
        question: hasPlans() ? 'Can I try it before I choose a plan?' : 'Can I try it without an account?',
        answer: [
          'Yes. The [event builder](/event-builder) drafts an event without an account; the draft stays on your device until you publish it.',
        ],
      },
      {
        question: 'How many Beacons do I need?',
        answer: [
          'One for twenty to twenty-five guests, and two more than you think. You can set a number at which applications close by themselves.',
        ],
      },
      {
        question: 'Can I change or delete an event later?',
        answer: [
          hasPlans()
            ? 'Editing is free, as often as you like, until the event is over. Deleting cannot be undone and removes all applications with it. An event without applications that is deleted within a day of being created does not count against your plan.'
            : 'You may edit as often as you like, until the event is over. Deleting cannot be undone and removes all applications with it.',
        ],
      },
      {
        question: 'What if I approve an applicant by mistake?',
        answer: [
          'Press Undo while it is offered. Later, “Revoke Approval” takes the person off the event page, and an approval can also follow a rejection.',
        ],
      },
    ],
  },
  {
    title: 'Beacons',
    questions: [
      {
        question: 'Do I need an account to apply?',
        answer: ['No. You fill in one form per event. Accounts are for organizers.'],
      },
      {
        question: 'What becomes public?',
        answer: [
          'Nothing while you wait. When you are approved: your name, job title, company, bio and LinkedIn address. Your e-mail address, phone number and answers are for the organizer only. See [Privacy](/privacy).',
        ],
      },
      {
        question: 'I applied without a network. Did it arrive?',
        answer: [
          'The page says so: “saved on this device” means it is waiting here, “sent” means our server has it. It is sent by itself; keep the browser’s data until then.',
        ],
      },
      {
        question: 'Can I correct or withdraw my application?',
        answer: [
          'Yes, on your application’s own page. Its link is shown when you apply and stays on the device you applied from; open the event’s application page there.',
        ],
      },
      {
        question: 'Can I apply twice?',
        answer: ['Once per event and e-mail address. A second try tells you that we already have your application.'],
      },
      {
        question: 'What do I get?',
        answer: [
          'What the organizer promises under “Beacon Incentives” on the event’s page. The promise is theirs; we only make sure it is written down where everybody can read it.',
        ],
      },
    ],
  },
  {
    title: 'Without a network',
    questions: [
      {
        question: 'What works offline?',
        answer: [
          'Everything you have opened before, and every action of an organizer: creating and editing events, approving, rejecting, undoing. Volunteers can apply. ' +
            (hasPlans()
              ? 'Signing in, paying and checking a promo code need a connection, and say so.'
              : 'Signing in needs a connection, and says so.'),
        ],
      },
      {
        question: 'Do I have to do anything when the network is back?',
        answer: [
          'No. Changes leave by themselves, in your order, each exactly once. The badge at the top counts what is still waiting.',
        ],
      },
      {
        question: 'How do I install the app?',
        answer: [
          'In Chrome or Edge choose “Install” in the menu. On an iPhone or iPad open the share menu in Safari and choose “Add to Home Screen”; alerts work there only from the home screen.',
        ],
      },
      {
        question: 'Can I lose something?',
        answer: [
          'Only if the browser’s data is deleted while changes are waiting. We ask the browser to keep it, tell you when it did not, and let you save waiting changes to a file.',
        ],
      },
    ],
  },
]

export function FaqScreen() {
  usePageTitle('Frequently Asked Questions')
  return (
    <Page
      title="Frequently Asked Questions"
      lead={<Rich text="New here? [What a Beacon is](/resources), in a few lines." />}
      width="text"
    >
      {questionGroups.map(({ title, questions }) => (
        <Section key={title} id={anchorOf(title)} title={title}>
          <Questions questions={questions} />
        </Section>
      ))}
      <Section id="not-answered" title="Your question is not here?">
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
          <ButtonLink to={paths.resources} variant="secondary">
            Resources
          </ButtonLink>
        </div>
      </Section>
    </Page>
  )
}
