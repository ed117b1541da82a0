import { useState } from 'react'
import type { BrowserError } from '#shared/admin/browser-error-calls.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { useNow } from '../ui/page/use-now.ts'
import { ShowMore } from './show-more.tsx'

const shownAtOnce = 20

export function BrowserErrors({ errors }: { errors: readonly BrowserError[] }) {
  const [shown, setShown] = useState(shownAtOnce)
  const now = useNow()
  if (errors.length === 0) {
    return (
      <Card>
        <EmptyState illustration="clear" title="No page has broken lately">
          When a page fails in a browser, it is counted here for 30 days: the kind of error and its place in the code,
          without contents.
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      <p className="mb-4 text-muted">
        Counted without contents, and without whose device it was. They go 30 days after the last time.
      </p>
      <Card padding="none">
        <ul aria-label="Errors of pages">
          {errors.slice(0, shown).map((error) => (
            <Row key={error.id} error={error} now={now} />
          ))}
        </ul>
      </Card>
      {errors.length > shown && <ShowMore onMore={() => setShown(shown + shownAtOnce)} />}
    </>
  )
}

function Row({ error, now }: { error: BrowserError; now: Date }) {
  const { name, version, screen, frames, times, firstAt, lastAt } = error
  return (
    <li className="border-b border-base-300 p-4 last:border-0 sm:px-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
        <div className="min-w-0 flex-[1_1_18rem]">
          <p className="font-medium break-words">
            {name} on {screen}
          </p>
          <p className="text-sm break-words text-muted">
            {times === 1
              ? `Version ${version}, ${formatMoment(lastAt, now)}`
              : `Version ${version}, first ${formatMoment(firstAt, now)}, last ${formatMoment(lastAt, now)}`}
          </p>
        </div>
        <Badge>{times === 1 ? 'Once' : `${times.toLocaleString('en-US')} times`}</Badge>
      </div>
      <details className="text-sm">
        <summary
          aria-label={`Where in the code: ${name} on ${screen}`}
          className="inline-flex min-h-11 cursor-pointer items-center underline decoration-edge underline-offset-4"
        >
          Where in the code
        </summary>
        <p className="pb-2 font-mono break-all whitespace-pre-line">{frames.join('\n')}</p>
      </details>
    </li>
  )
}
