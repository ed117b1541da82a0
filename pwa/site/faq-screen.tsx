import { questionGroups } from './content/faq.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Page, Section } from '../ui/page.tsx'
import { usePageTitle } from '../page/page-title.ts'
import { anchorOf } from './reading/passages.tsx'
import { Questions } from './reading/questions.tsx'
import { Rich } from './reading/rich.tsx'

/** Short answers, by who asks. */
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
