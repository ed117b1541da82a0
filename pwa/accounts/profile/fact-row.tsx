import type { ReactNode } from 'react'

export function FactRow({ term, children, action }: { term: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-base-300 py-3 first:border-0 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-[1_1_12rem]">
        <h3 className="text-sm font-normal text-muted">{term}</h3>
        <div className="break-words">{children}</div>
      </div>
      {action}
    </div>
  )
}
