import type { ReactNode } from 'react'
import { SkeletonLine } from './skeleton.tsx'

/** A number people care about, first; what it counts, below. Without a value yet, its place is held. */
export function Stat({
  value,
  label,
  hint,
  icon,
}: {
  value: ReactNode
  label: ReactNode
  hint?: ReactNode
  icon?: ReactNode
}) {
  return (
    <div className="rounded-box border border-base-300 bg-base-100 p-4 sm:p-5">
      <p className="text-3xl font-semibold tracking-tight tabular-nums">
        {value ?? <SkeletonLine className="my-1.5 h-6 w-16" />}
      </p>
      <p className="mt-1 flex items-center gap-1.5 text-sm text-muted">
        {icon}
        {label}
      </p>
      {hint && <p className="text-sm text-muted">{hint}</p>}
    </div>
  )
}
