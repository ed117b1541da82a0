import type { ReactNode } from 'react'

export interface Definition {
  term: string
  detail: ReactNode
}

/**
 * Long texts are stacked. `columns` puts terms and texts side by side, and `lines` makes one line of each on a phone,
 * for a word or two.
 */
export function DefinitionList(props: {
  items: Definition[]
  columns?: boolean | undefined
  lines?: boolean | undefined
}) {
  const { items, columns = false, lines = false } = props
  if (lines) {
    return (
      <dl className="grid gap-x-8 sm:grid-cols-2 sm:gap-y-4">
        {items.map((item) => (
          <div
            key={item.term}
            className="flex min-w-0 items-baseline justify-between gap-4 border-t border-base-300 py-2 sm:block sm:border-0 sm:py-0"
          >
            <dt className="shrink-0 text-sm text-muted">{item.term}</dt>
            <dd className="min-w-0 text-right break-words sm:text-left">{item.detail}</dd>
          </div>
        ))}
      </dl>
    )
  }
  return (
    <dl className={columns ? 'grid gap-x-8 gap-y-4 sm:grid-cols-2' : 'flex flex-col gap-5'}>
      {items.map((item) => (
        <div key={item.term} className="min-w-0">
          <dt className="text-sm text-muted">{item.term}</dt>
          <dd className="[overflow-wrap:anywhere] whitespace-pre-line">{item.detail}</dd>
        </div>
      ))}
    </dl>
  )
}
