import type { Passage } from '../content.ts'

export const whenTheWifiGivesUp: readonly Passage[] = [
  {
    body: [
      'At five o’clock you try the venue’s wifi, and it is fast. At half past six two hundred phones arrive and it is gone. The mobile network goes with it, because the hall is made of concrete and everyone outside is looking for the entrance. This happens at most events and surprises most organizers. It does not have to.',
    ],
  },
  {
    heading: 'Why it breaks',
    body: [
      'A wireless access point shares one conversation between everybody near it. Thirty phones are a dinner table; two hundred are a stadium. Each phone also brings its own habits: photos going to a cloud, updates, messages. The network does not say “no”. It says “wait”, for ever, with full bars. And some venues answer every page with their own log-in page, which many apps take for a success.',
    ],
  },
  {
    heading: 'The evening before',
    body: [
      {
        steps: [
          '**Open what you will need, once, on the phone you will carry.** The event, the list of Beacons, the applications. In Beaconry what you have opened stays; other tools may need an export.',
          '**Put it on the home screen.** Installed apps are less likely to have their storage cleared by the browser.',
          '**Switch to flight mode and try it.** Two minutes, in your kitchen. Open the app, approve a test applicant, undo it. If something does not work there, it will not work in the hall.',
          '**Charge, and pack a battery.** A phone that is looking for a network empties twice as fast.',
          '**Agree on a place.** “North lobby desk, on the hour” needs no signal at all.',
        ],
      },
    ],
  },
  {
    heading: 'In the hall',
    body: [
      {
        list: [
          '**Decide as if you were online.** If your tool queues what you do, the time you save is tonight’s. Read what it says: “saved on this phone” is not yet “sent”, and both are fine until midnight.',
          '**Do not log in and out.** Signing in is the one thing that always needs a network. Stay signed in, on two devices if you can.',
          '**Do not refresh.** A page that is open is worth more than one that might load.',
          '**Do not press twice.** With a tool that guesses, pressing twice sends two mails. Ours sends one, but the habit is a good one anyway.',
          '**Leave the venue’s log-in page alone** once you have seen it. Turn the wifi off instead: a mobile network that is slow beats a wifi that lies.',
        ],
      },
    ],
  },
  {
    heading: 'What can wait, and what cannot',
    body: [
      'Decisions, notes, edits and applications can wait for hours: they are text, and text keeps. Payments and tickets sold at the door cannot: take them on a connection of their own, a phone with a different provider by the window. Everything that needs somebody else’s answer right now should be done by walking up to them.',
    ],
  },
  {
    heading: 'On the way home',
    body: [
      'Somewhere between the hall and the train the bars come back. Open the app once and look at the badge: it counts down by itself and then it is gone. If something needs your attention it says what and why. Then the evening is really over.',
    ],
  },
]
