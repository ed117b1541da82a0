import { hasPlans } from '../device/has-plans.ts'
import { usePageTitle } from '../ui/page/page-title.ts'
import { LegalText, type Passage } from './reading.tsx'

const termsUpdatedDate = '2026-11-26'

const terms: readonly Passage[] = [
  {
    body: [
      'These are the rules for using Beaconry. They are short because the product is. By creating an account or applying to be a Beacon you agree to them.',
    ],
  },
  {
    heading: 'What Beaconry is',
    body: [
      'A place where organizers publish events and volunteers offer to help guests meet. We are not the organizer of any event, not an employer of Beacons and not a party to what they agree with each other.',
    ],
  },
  {
    heading: 'If you organize',
    body: [
      {
        list: [
          'Publish events that will take place, that you may publish, and that are described truthfully. Keep what you promise under “Beacon Incentives”.',
          'Use applicants’ details to choose and brief Beacons for that event, and for nothing else. No mailing lists, no passing on.',
          'Decide fairly. Do not ask for what the law forbids you to ask.',
          'Look after your devices: they hold applicants’ details so that you can work offline. Sign out on devices that are not yours.',
        ],
      },
    ],
  },
  {
    heading: 'If you are a Beacon',
    body: [
      {
        list: [
          'Apply as yourself, with details that are true, and only if you mean to come.',
          'When you are approved, your name, job title, company, bio and LinkedIn address become public on the event’s page. That is the point of it; [Privacy](/privacy) has the details.',
          'You volunteer. What you get is what the organizer promises on the event’s page.',
          'Treat guests as you would want to be treated by a host. An introduction is an offer; no is an answer.',
        ],
      },
    ],
  },
  ...(hasPlans()
    ? [
        {
          heading: 'Plans and payment',
          body: [
            'A plan lets you publish a number of events in a period; both are shown before you pay. The price shown at checkout is the whole price. Plans end by themselves and are not renewed without you.',
            'Editing costs nothing. An event counts from the moment it is created; if you delete it within 24 hours and nobody has applied, it is given back. A finished event cannot be moved into the future: create a new one.',
            'In demo mode nothing is charged, and what you publish may be removed at any time.',
          ],
        },
      ]
    : []),
  {
    heading: 'What is not allowed',
    body: [
      'Events or texts that are unlawful, hateful, deceptive or dangerous; collecting other people’s data; programs that fill in forms; attempts to get at what is not yours. We may remove such things and close accounts that do them, and will say why.',
    ],
  },
  {
    heading: 'What we promise, and what we cannot',
    body: [
      'A change that your device shows as “confirmed” is on our server. A change that waits on your device is in your hands until then: it is lost if the browser’s data is deleted.',
      'We work to keep the service running and to tell you when it is not, but it comes as it is, without a guarantee that it is always there. As far as the law allows, we are liable for what we do on purpose or by gross carelessness, and beyond that for no more than you have paid us in the last twelve months.',
    ],
  },
  {
    heading: 'Ending it',
    body: [
      'You may stop at any time, and delete your account on the page of its settings. Your texts remain yours. You allow us to show them where the product does, for as long as they are published.',
    ],
  },
  {
    heading: 'Changes',
    body: [
      'When these terms change in a way that matters, account holders are told before it applies. The date above says when they were last edited. Applications keep the version that was shown when they were sent.',
    ],
  },
]

export function TermsScreen() {
  usePageTitle('Terms')
  return <LegalText title="Terms" updatedDate={termsUpdatedDate} passages={terms} />
}
