import { useSite } from '../device/site-settings.ts'
import { Rich, type RichText } from './reading.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'

interface ContactWay {
  readonly title: string
  readonly text: RichText
  /** Null: the action is writing to the operator, whose address the server names. */
  readonly action: { readonly label: string; readonly to: string } | null
}

/** The quickest way for most people comes first. */
const contactWays: readonly ContactWay[] = [
  {
    title: 'About an event',
    text: 'Tickets, the programme, the venue: ask the organizer. The event’s page names them, and “Contact the organizer” there writes to the address they gave. Without one, ask where you registered: the page has the link.',
    action: { label: 'Find the event', to: '/events' },
  },
  {
    title: 'About your application',
    text: 'The organizer decides, and we cannot speed it up. Your application’s own page shows its status and lets you correct or withdraw it: open the event’s application page on the device you applied from.',
    action: { label: 'Find the event', to: '/events' },
  },
  {
    title: 'About your account or a payment',
    text: 'Write from the address you signed up with, and tell us what you expected and what happened instead. If a page showed a number next to an error, send it along: it finds the line in our log.',
    action: null,
  },
  {
    title: 'About your data',
    text: 'To see, correct or delete what we store about you, write to us. [Privacy](/privacy) says what that is and what we can do at once.',
    action: null,
  },
  {
    title: 'A security problem',
    text: 'Thank you for looking. Please write before you publish, with the steps to see it; do not try it on other people’s data. We answer within two working days.',
    action: null,
  },
  {
    title: 'Something else',
    text: 'A typo, an idea, a good story from a hall with bad wifi. We read everything.',
    action: null,
  },
]

/** Replaces the email ways where the server names no address. */
const withoutAddress: ContactWay = {
  title: 'About this server',
  text: 'This server names no address for questions about accounts, payments, data or security. Ask the person who gave you its link.',
  action: null,
}

export function ContactScreen() {
  const { answer: site } = useSite()
  const address = site === null ? undefined : site.supportEmail
  return (
    <TitledPage title="Contact" lead="Choose what it is about; that is the shortest way to a person who can help.">
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {(address === null
          ? [...contactWays.filter(({ action }) => action !== null), withoutAddress]
          : contactWays
        ).map(({ title, text, action }) => (
          <Card key={title} as="li" className="flex flex-col [&>:first-child]:flex-1">
            <div className="flex h-full flex-col items-start">
              <h2 className="text-xl">{title}</h2>
              <p className="mt-2 mb-4 flex-1 text-muted">
                <Rich text={text} />
              </p>
              <Way action={action} address={address} />
            </div>
          </Card>
        ))}
      </ul>
      {site && (site.operator ?? site.imprint) !== null && (
        <section aria-labelledby="imprint" className="mt-10 max-w-prose">
          <h2 id="imprint" className="text-2xl">
            Imprint
          </h2>
          {site.operator && <p className="mt-3 font-semibold break-words">{site.operator}</p>}
          {address && (
            <p className="break-words">
              <a href={`mailto:${address}`} className="inline-flex min-h-11 items-center underline underline-offset-4">
                {address}
              </a>
            </p>
          )}
          {site.imprint && <p className="mt-3 break-words whitespace-pre-line">{site.imprint}</p>}
        </section>
      )}
    </TitledPage>
  )
}

/** `address` is null where there is none, undefined while unknown. */
function Way({ action, address }: Pick<ContactWay, 'action'> & { address: string | null | undefined }) {
  const link = action ?? (address ? { label: address, to: `mailto:${address}` } : null)
  if (address === null && action === null) return null
  if (link === null) return <p className="font-semibold">The address shows here as soon as there is a connection.</p>
  return (
    <ButtonLink to={link.to} variant="secondary" className="max-w-full">
      {link.label}
    </ButtonLink>
  )
}
