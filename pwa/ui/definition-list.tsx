import type { ReactNode } from 'react'

export interface Definition {
  term: string
  detail: ReactNode
}

/** Facts with their names: stacked for long texts, side by side (`columns`) for short ones. */
export function DefinitionList({ items, columns = false }: { items: Definition[]; columns?: boolean | undefined }) {
  return (
    <dl className={columns ? 'grid gap-x-8 gap-y-4 sm:grid-cols-2' : 'flex flex-col gap-5'}>
      {items.map((item) => (
        <div key={item.term} className="min-w-0">
          <dt className="text-sm text-muted">{item.term}</dt>
          <dd className="break-words whitespace-pre-line">{item.detail}</dd>
        </div>
      ))}
    </dl>
  )
}
