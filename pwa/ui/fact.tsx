import type { ReactNode } from 'react'

/** One fact with its picture: when, where, who. `sub` is the smaller line below. */
export function Fact({ icon, children, sub }: { icon: ReactNode; children: ReactNode; sub?: ReactNode }) {
  return (
    <div className="flex gap-3">
      <span aria-hidden="true" className="grid h-[1.55em] w-5 shrink-0 place-items-center text-muted [&>svg]:size-5">
        {icon}
      </span>
      <div className="min-w-0">
        {children}
        {sub && <div className="text-sm text-muted">{sub}</div>}
      </div>
    </div>
  )
}
