import { Link } from 'react-router-dom'
import type { ReactNode } from 'react'
import { legalTexts } from '#shared/site/legal-texts.ts'
import { hasPlans } from '../device/has-plans.ts'
import { useSite } from '../device/site-settings.ts'
import { paths } from '../paths.ts'
import { Skeleton } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { passagesOf } from './passages.ts'
import { LegalText } from './reading.tsx'

/** Shows the operator's own text, or the shipped one. `children` belong to the shipped one alone. */
export function LegalPage({ of, title, children }: { of: 'privacy' | 'terms'; title: string; children?: ReactNode }) {
  usePageTitle(title)
  const { answer: site, failure } = useSite()
  // Not the shipped text first: the operator's may say something else.
  if (site === null && failure === null)
    return (
      <Page title={title}>
        <Skeleton shape="detail" label={`Loading ${title}`} />
      </Page>
    )
  const shipped = legalTexts[of]
  const own = site?.[of] ?? null
  return (
    <LegalText
      title={title}
      updatedDate={own?.updatedDate ?? shipped.updatedDate}
      passages={passagesOf(own?.text ?? shipped.text(hasPlans()))}
    >
      {site?.operator && (
        <p className="mb-8 max-w-prose">
          This site is run by {site.operator}.{' '}
          <Link to={paths.contact} className="underline underline-offset-4">
            Contact and imprint
          </Link>
        </p>
      )}
      {own === null && children}
    </LegalText>
  )
}
