import type { ReactNode } from 'react'
import { formatDate } from '#shared/time/date-range.ts'
import type { Passage } from '../content/content.ts'
import { Page } from '../../ui/page.tsx'
import { anchorOf, Passages } from './passages.tsx'

/** A long text one looks things up in: what stands in it, when it was edited, then the text. */
export function LegalText({
  title,
  updatedDate,
  passages,
  children,
}: {
  title: string
  updatedDate: string
  passages: readonly Passage[]
  children?: ReactNode
}) {
  const headings = passages.flatMap(({ heading }) => heading ?? [])
  return (
    <Page title={title} lead={`Last edited ${formatDate(updatedDate)}`}>
      <div className="grid gap-x-14 gap-y-8 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-label="On this page" className="max-lg:hidden lg:sticky lg:top-24 lg:self-start">
          <ul>
            {headings.map((heading) => (
              <li key={heading}>
                <a
                  href={`#${anchorOf(heading)}`}
                  className="flex min-h-11 items-center text-muted hover:text-base-content hover:underline"
                >
                  {heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          {children}
          <Passages passages={passages} />
        </div>
      </div>
    </Page>
  )
}
