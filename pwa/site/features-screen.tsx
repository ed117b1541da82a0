import { Illustration, type IllustrationName } from '../ui/illustration.tsx'
import { Page } from '../ui/page.tsx'
import { ClosingCall } from './closing-call.tsx'
import { Rich, anchorOf, type RichText } from './reading.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'

interface FeatureGroup {
  readonly title: string
  readonly lead: RichText
  readonly features: readonly { readonly name: string; readonly text: RichText }[]
}

const featureGroups: readonly FeatureGroup[] = [
  {
    title: 'Works where the wifi does not',
    lead: 'Everything you do is saved on your phone first and sent by itself when there is a network.',
    features: [
      {
        name: 'Nothing is lost',
        text: 'Close the page, restart the phone, stay under ground all evening: what you decided is still there, and reaches the server exactly once.',
      },
      {
        name: 'It says where things are',
        text: '“Saved on this device”, “sent”, “confirmed”. Nothing is shown as done before the server has said so.',
      },
      {
        name: 'Refusals are explained',
        text: 'If the server cannot accept a change, you see it with its reason and can repair it. Nothing disappears silently.',
      },
      {
        name: 'Every device agrees',
        text: 'What you approve on the phone shows on the laptop seconds later. When two devices decided differently, you are asked.',
      },
    ],
  },
  {
    title: 'Made for one hand and three seconds',
    lead: 'You stand in a hall, somebody is talking to you, and three people wait for an answer.',
    features: [
      {
        name: 'Decide in a tap',
        text: 'One applicant per card, name and reason first, Approve and Reject in the thumb’s reach, Undo beside them.',
      },
      {
        name: 'Alerts that do not gossip',
        text: 'New applications can ring your phone. The alert never names the applicant: lock screens are public.',
      },
      {
        name: 'An app without a store',
        text: 'Put Beaconry on your home screen from the browser. It opens like any other app, also without a network.',
      },
      {
        name: 'A keyboard is enough, too',
        text: 'On a computer J and K move, A and R decide, / searches.',
      },
    ],
  },
  {
    title: 'A page your guests will open',
    lead: 'Date, place and people at one glance, for guests and for people who think about helping.',
    features: [
      {
        name: 'Meet the Beacons',
        text: 'Approved volunteers with job, company and bio. Guests arrive knowing whom to walk up to.',
      },
      {
        name: 'Applying takes minutes',
        text: 'No account. Your own questions if you have any. Written offline, sent later, without the form ever losing a word.',
      },
      {
        name: 'Times in the right zone',
        text: 'An evening in Denver is an evening in Denver, whoever looks at it from where. A tap puts it into your calendar.',
      },
      {
        name: 'Mail in your words',
        text: 'Write the message approved Beacons get, with the event’s facts filled in, or leave it to the default.',
      },
    ],
  },
  {
    title: 'Quiet about your people',
    lead: 'Volunteers trust you with their phone numbers. We treat them that way.',
    features: [
      {
        name: 'Contact details stay with you',
        text: 'E-mail, phone and answers are seen by the event’s organizer alone.',
      },
      {
        name: 'No trackers',
        text: 'No advertising, no analytics of third parties, no cookie before you sign in. [What we store](/privacy).',
      },
      {
        name: 'Signing out cleans up',
        text: 'A borrowed laptop keeps nothing of your applicants, also when it is offline at that moment.',
      },
      {
        name: 'Your queue is yours',
        text: 'A broken phone? Save its unsent changes to a file and read them on another one.',
      },
    ],
  },
]

const pictures: readonly IllustrationName[] = ['offline', 'inbox', 'beacons', 'clear']

export function FeaturesScreen() {
  usePageTitle('Features')
  return (
    <>
      <Page title="Features" lead="Few things, done properly, in the place where you need them.">
        <div className="mt-10 flex flex-col gap-14">
          {featureGroups.map(({ title, lead, features }, index) => (
            <section
              key={title}
              aria-labelledby={anchorOf(title)}
              className="grid gap-x-12 gap-y-6 border-t-2 border-base-content pt-5 lg:grid-cols-[18rem_minmax(0,1fr)]"
            >
              <div>
                <h2 id={anchorOf(title)} className="text-2xl">
                  {title}
                </h2>
                <p className="mt-2 text-muted">
                  <Rich text={lead} />
                </p>
                <Illustration name={pictures[index] ?? 'hall'} className="mt-4 -ml-2 h-28 w-42 max-sm:hidden" />
              </div>
              <ul className="grid gap-x-10 gap-y-7 sm:grid-cols-2">
                {features.map(({ name, text }) => (
                  <li key={name}>
                    <h3 className="text-lg">{name}</h3>
                    <p className="mt-1 text-muted">
                      <Rich text={text} />
                    </p>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </Page>
      <ClosingCall />
    </>
  )
}
