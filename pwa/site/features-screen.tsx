import { Illustration, type IllustrationName } from '../ui/illustration.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { ClosingCall } from './closing-call.tsx'
import { passagesOf } from './passages.ts'
import { anchorOf, Parts } from './reading.tsx'

/** Each group's text begins with its lead. */
const featureGroups: readonly { readonly title: string; readonly text: string }[] = [
  {
    title: 'Works where the wifi does not',
    text: `
Everything you do is saved on your phone first and sent automatically when there is a network.

## Nothing is lost
Close the page, restart the phone, stay underground all evening: what you decided is still there, and reaches the server exactly once.

## It says where things are
“Saved on this device”, “sent”, “confirmed”. Nothing is shown as done before the server has said so.

## Refusals are explained
If the server cannot accept a change, you see it with its reason and can repair it. Nothing disappears silently.

## Every device agrees
What you approve on the phone shows on the laptop seconds later. When two devices decided differently, you are asked.
`,
  },
  {
    title: 'Made for one hand and three seconds',
    text: `
You stand in a hall, someone is talking to you, and three people are waiting for an answer.

## Decide in a tap
One applicant per card, name and reason first, Approve and Reject within thumb’s reach, Undo next to them.

## Private alerts
New applications can ring your phone. The alert names the applicant only where you want it to: lock screens are public.

## An app without a store
Put Beaconry on your home screen from the browser. It opens like any other app, even without a network.

## Works with the keyboard alone
On a computer, J and K move, A and R decide, and / searches.
`,
  },
  {
    title: 'A page your guests will open',
    text: `
Date, place and people at a glance, for guests and for people thinking of helping.

## Meet the Beacons
Approved volunteers with job, company and bio. Guests arrive knowing whom to walk up to.

## Applying takes minutes
No account. Your own questions if you have any. Written offline, sent later, without the form ever losing a word.

## Times in the right zone
An evening in Denver is an evening in Denver, wherever you look at it from. A tap puts it into your calendar.

## Mail in your words
Write the message approved Beacons get, with the event’s facts filled in, or leave it to the default.
`,
  },
  {
    title: 'Quiet about your people',
    text: `
Volunteers trust you with their phone numbers. We treat them that way.

## Contact details stay with you
Only the event’s organizer, and the people they invite to review applications, see email, phone and answers.

## No trackers
No advertising, no third-party analytics, no cookie before you sign in. [What we store](/privacy).

## Signing out cleans up
A borrowed laptop keeps nothing of your applicants, even if it is offline at that moment.
`,
  },
]

const pictures: readonly IllustrationName[] = ['offline', 'inbox', 'beacons', 'clear']

export function FeaturesScreen() {
  return (
    <>
      <TitledPage title="Features" lead="Few things, done properly, where you need them.">
        <div className="mt-10 flex flex-col gap-14">
          {featureGroups.map(({ title, text }, index) => {
            const [lead, ...features] = passagesOf(text)
            return (
              <section
                key={title}
                aria-labelledby={anchorOf(title)}
                className="grid gap-x-12 gap-y-6 border-t-2 border-base-content pt-5 lg:grid-cols-[18rem_minmax(0,1fr)]"
              >
                <div>
                  <h2 id={anchorOf(title)} className="text-2xl">
                    {title}
                  </h2>
                  <div className="mt-2 text-muted">{lead && <Parts body={lead.body} />}</div>
                  <Illustration name={pictures[index] ?? 'hall'} className="mt-4 -ml-2 h-28 w-42 max-sm:hidden" />
                </div>
                <ul className="grid gap-x-10 gap-y-7 sm:grid-cols-2">
                  {features.map(({ heading, body }) => (
                    <li key={heading}>
                      <h3 className="mb-1 text-lg">{heading}</h3>
                      <div className="text-muted">
                        <Parts body={body} />
                      </div>
                    </li>
                  ))}
                </ul>
              </section>
            )
          })}
        </div>
      </TitledPage>
      <ClosingCall />
    </>
  )
}
