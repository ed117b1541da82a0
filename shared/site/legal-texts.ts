/** In the markup that an operator's own texts have too; `plans`: whether this server has any. */
type ShippedText = (plans: boolean) => string

const payments = `## Payments

Card payments are handled by Stripe. Your card number goes from your browser to Stripe and never to us; we store the plan, the amount, the date, and Stripe’s reference. Stripe gets your username and email address, so that a payment can be found again. Stripe’s script is loaded on the checkout page only, away from applicants’ data. In demo mode no card is asked for and nothing is charged.

`

const privacy: ShippedText = (plans) => `## If you look around

You can read events and Beacons without telling us who you are. Events you have seen are kept in your browser, so that they open without a network; your choice of a light or dark theme, drafts you have begun and how far you had scrolled stay there, too. None of it is sent to us.

When you open an event’s page we add one to a number: how often it was opened that day, and by which way: a QR code, a shared link, a search engine, another site, or directly. Its organizer sees these numbers. Nothing about you is kept with them, neither a cookie nor an address.

To protect forms from being flooded we count requests per network address. The counter stores a scrambled form of the address, not the address, and runs out within a day. Our logs hold no names, no addresses, no contents and no search terms.

When a page of ours breaks, your browser tells us, once there is a network, the kind of error, the version, which screen it was and where in our program, never what you read or wrote or who you are. It becomes a line in our server’s log and one more in a count.

## If you apply to be a Beacon

We store what you fill in: name, email address, and, if you give them, phone, LinkedIn address, company, job title and topics; your answers and your bio; when you agreed to the terms, and to which version; and by which of these ways you came, which is counted only. The organizer of that event sees all of it, and may add a note, a star, where you stand, or that you were there. So do the people whom the organizer has taken into their team to read applications; helpers at the door see the names, companies and posts of approved Beacons. Organizers of other events see none of it. Once approved, you may say whether you will be there; the organizer sees that, too, and the other approved Beacons read your first name.

**What becomes public when you are approved:** your first and last name, job title, company, topics, bio and LinkedIn address, a photo if you gave one, and where you stand if the organizer shows that to guests, on that event’s page. Our server converts a photo, without the place and device that a camera notes in it. If the approval is withdrawn, or you say that you can’t come, they disappear from it again; devices that have seen the page remove them the next time they ask.

Until it has been sent, your application lies in your browser only. After that the link to your own page stays there: it shows the status of your application and lets you correct or withdraw it; your answers fill in the next form until you clear them or remove the application from the device. Anyone who has that link can do the same, so keep it to yourself.

## If you have an account

We store your user name, email address, organization if you gave one, ${plans ? 'your plan, ' : ''}and your events. Your organization, else your user name, is public as the host of your events; so is a contact address, once you have given one and opened the link we send there. Your password is stored as an argon2id hash, from which it cannot be read back.

For each device you sign in on we keep what it calls itself (“iPhone, Safari”), when it signed in and when it was last seen, so that a decision can show where it was made. You see these devices on your profile and can end any of them there. A session ends after 30 days without use, after 90 days in any case, or when you sign out; 90 days later we forget that it existed.

A cookie that names no one remembers that you have signed in with this browser. It lets you in while strangers guess at your password, which would otherwise make everybody wait. It opens nothing, stays when you sign out, and runs out after 400 days; a new password forgets it everywhere but where you chose it.

Your events and their applications are copied to your devices, so that you can work without a network. Signing out deletes that copy. Changes you made offline wait in your browser until they have been sent.

## Alerts

If you turn on alerts, your browser gives us an address at its maker’s push service (Google, Apple, Mozilla or Microsoft). We send encrypted messages there that name the event and a count. They name an applicant only on a device on whose lock screen you want names. Turning alerts off, or ending the session, deletes the address; with it we keep that choice, and your quiet hours and their time zone, if you set any.

If you applied and had your phone told, its address is kept with your application: until you turn that off, or the application is deleted. The message says which event has news, neither your name nor the answer.

## Email

Where this server is set up to send mail, applicants are told what became of their application, Beacons also when their event moves, is cancelled or begins the next day. Organizers are told how many have applied, without names, unless a device alerts them or they turn that off in the mail or on their profile. Account holders get what they ask for, such as a test message, and links to confirm their address or to choose a new password; each works once. There is no newsletter, and messages contain no invisible pictures that report whether you read them.

${plans ? payments : ''}## Who else gets data

No one, beyond the push services ${plans ? 'and Stripe ' : ''}as described. We do not sell data and do not use it to build profiles. Links to maps, tickets and LinkedIn leave our site only when you follow them, and we tell those sites no more than which site you came from.

## How long we keep it

- **Events:** until their organizer deletes them.
- **Applications:** until the organizer deletes the event, and 12 months after its last day at the latest. Then our server forgets them with every decision and note, and the devices that hold a copy remove it the next time they ask.
- **That an email was sent** (to whom, about what, and whether it left; its text is written when it leaves and not kept): 90 days.
- **A copy of our answers to changes** (so that a change sent twice happens once): 90 days.
- **Markers that something was deleted** (so that your other devices learn of it): 90 days, without its contents.
- **A list of who called what and when,** by number, without contents: two years, to be able to explain what happened.
- **How often a wrong password was tried for an account,** by hour, without where from: 90 days.${plans ? '\n- **Payments:** as long as tax law asks for.' : ''}

## Your rights

You may ask what we store about you, have it corrected or deleted, and get a copy. Organizers download theirs and delete their account on the page of its settings, and applicants delete an application on its own page. For anything else, [write to us](/contact) from the address in question. Applicants can also ask the organizer, who can reject an application or revoke an approval at any time.

The operator of this server is responsible for it; the address above reaches them.
`

const buying = `## Plans and payment

A plan lets you publish a number of events in a period; both are shown before you pay. The price shown at checkout is the whole price. Plans end automatically and are not renewed without you.

Editing costs nothing. An event counts from the moment it is created; if you delete it within 24 hours and no one has applied, it is given back. A finished event cannot be moved into the future: create a new one.

In demo mode nothing is charged, and what you publish may be removed at any time.

`

const terms: ShippedText = (
  plans,
) => `These are the rules for using Beaconry. They are short because the product is. By creating an account or applying to be a Beacon you agree to them.

## What Beaconry is

A place where organizers publish events and volunteers offer to help guests meet. We are not the organizer of any event, not an employer of Beacons and not a party to what they agree with each other.

## If you organize

- Publish events that will take place, that you may publish, and that are described truthfully. Keep what you promise under “Beacon Incentives”.
- Use applicants’ details to choose and brief Beacons for that event, and for nothing else. No mailing lists, no passing on.
- Decide fairly. Do not ask for what the law forbids you to ask.
- Look after your devices: they hold applicants’ details so that you can work offline. Sign out on devices that are not yours.

## If you are a Beacon

- Apply as yourself, with details that are true, and only if you mean to come.
- When you are approved, your name, job title, company, topics, bio and LinkedIn address become public on the event’s page. That is the point of it; [Privacy](/privacy) has the details.
- You volunteer. What you get is what the organizer promises on the event’s page.
- Treat guests as you would want to be treated by a host. An introduction is an offer; no is an answer.

${plans ? buying : ''}## What is not allowed

Events or texts that are unlawful, hateful, deceptive or dangerous; collecting other people’s data; programs that fill in forms; attempts to get at what is not yours. We may remove such things and close accounts that do them, and will say why.

## What we promise, and what we cannot

A change that your device shows as “confirmed” is on our server. A change that waits on your device is in your hands until then: it is lost if the browser’s data is deleted.

We work to keep the service running and to tell you when it is not, but it comes as it is, without a guarantee that it is always there. As far as the law allows, we are liable for what we do on purpose or by gross carelessness, and beyond that for no more than you have paid us in the last twelve months.

## Ending it

You may stop at any time, and delete your account on the page of its settings. Your texts remain yours. You allow us to show them where the product does, for as long as they are published.

## Changes

When these terms change in a way that matters, account holders are told before it applies. The date above says when they were last edited. Applications keep the version that was shown when they were sent.
`

/** Says what the program itself does with data, and the rules for its use. An operator may replace them. */
export const legalTexts = {
  privacy: { text: privacy, updatedDate: '2026-11-28' },
  terms: { text: terms, updatedDate: '2026-11-28' },
} as const
