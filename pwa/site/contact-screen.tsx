import { useContactAddress, type ContactAddress } from './contact-address.ts'
import { contactWays, withoutAddress, type ContactWay } from './content/contact.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { usePageTitle } from '../page/page-title.ts'
import { Rich } from './reading/rich.tsx'

/** Whom to ask about what. */
export function ContactScreen() {
  usePageTitle('Contact')
  const address = useContactAddress()
  return (
    <Page title="Contact" lead="Choose what it is about; that is the shortest way to somebody who can help.">
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {contactWays.map(({ title, text, action }) => (
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
    </Page>
  )
}

function Way({ action, address }: Pick<ContactWay, 'action'> & { address: ContactAddress }) {
  const link = action ?? (address ? { label: address, to: `mailto:${address}` } : null)
  if (link === null) return <p className="font-semibold">{withoutAddress[address === null ? 'none' : 'unknown']}</p>
  return (
    <ButtonLink to={link.to} variant="secondary" className="max-w-full">
      {link.label}
    </ButtonLink>
  )
}
