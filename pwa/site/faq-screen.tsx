import { hasPlans } from '../device/has-plans.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Section } from '../ui/page.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { passagesOf } from './passages.ts'
import { anchorOf, Questions, Rich } from './reading.tsx'

const cost = `
## What does it cost?
You pay for publishing events, by plan: for one event, for three, or for as many as you like in a year. See [Pricing](/pricing). Applying is free, and so is approving.
`

const questionGroups: readonly { readonly title: string; readonly text: string }[] = [
  {
    title: 'Organizers',
    text: `
${hasPlans() ? cost : ''}
## ${hasPlans() ? 'Can I try it before I choose a plan?' : 'Can I try it without an account?'}
Yes. The [event builder](/event-builder) drafts an event without an account; the draft stays on your device until you publish it.

## How many Beacons do I need?
One for twenty to twenty-five guests, and two more than you think. You can set a number at which applications close automatically.

## Can I change or delete an event later?
${hasPlans() ? 'Editing is free, as often as you like, until the event is over. Deleting cannot be undone and removes all applications with it. An event without applications that is deleted within a day of being created does not count against your plan.' : 'You may edit as often as you like, until the event is over. Deleting cannot be undone and removes all applications with it.'}

## What if I approve an applicant by mistake?
Press Undo while it is offered. Later, “Revoke Approval” takes the person off the event page, and an approval can also follow a rejection.
`,
  },
  {
    title: 'Beacons',
    text: `
## Do I need an account to apply?
No. You fill in one form per event. Accounts are for organizers.

## What becomes public?
Nothing while you wait. When you are approved: your name, job title, company, bio and LinkedIn address. Your email address, phone number and answers are for the organizer only. See [Privacy](/privacy).

## I applied without a network. Did it arrive?
The page says so: “saved on this device” means it is waiting here, “sent” means our server has it. It will be sent automatically; keep the browser’s data until then.

## Can I correct or withdraw my application?
Yes, on your application’s own page. Its link is shown when you apply and stays on the device you applied from; open the event’s application page there.

## Can I apply twice?
Once per event and email address. If you try again, we send you the link to your own page once more.

## What do I get?
What the organizer promises under “Beacon Incentives” on the event’s page. The promise is theirs; we only make sure it is written down where everybody can read it.
`,
  },
  {
    title: 'Without a network',
    text: `
## What works offline?
Everything you have opened before, and every action of an organizer: creating and editing events, approving, rejecting, undoing. Volunteers can apply. ${hasPlans() ? 'Signing in, paying and checking a promo code need a connection, and say so.' : 'Signing in needs a connection, and says so.'}

## Do I have to do anything when the network is back?
No. Changes are sent automatically, in your order, each exactly once. The badge at the top counts what is still waiting.

## How do I install the app?
In Chrome or Edge choose “Install” in the menu. On an iPhone or iPad open the share menu and choose “Add to Home Screen”. Alerts work there only from the home screen. The app begins with a storage of its own: send what waits in the browser first, then sign in again in the app.

## Can I lose something?
Only if the browser’s data is deleted while changes are waiting. On an iPhone, iPad or Mac, Safari does that when you do not open a website for a week, unless it is on your home screen. We ask the browser to keep it, and tell you when it did not.
`,
  },
]

export function FaqScreen() {
  return (
    <TitledPage
      title="Frequently Asked Questions"
      lead={<Rich text="New here? [What a Beacon is](/resources), in a few lines." />}
      width="text"
    >
      {questionGroups.map(({ title, text }) => (
        <Section key={title} id={anchorOf(title)} title={title}>
          <Questions questions={passagesOf(text)} />
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
    </TitledPage>
  )
}
