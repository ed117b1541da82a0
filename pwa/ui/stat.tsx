import type { ReactNode } from 'react'

/** A number people care about, first; what it counts, below. */
export function Stat({ value, label, icon }: { value: ReactNode; label: ReactNode; icon?: ReactNode }) {
  return (
    <div className="rounded-box border border-base-300 bg-base-100 p-4 sm:p-5">
      <p className="text-3xl font-semibold tracking-tight tabular-nums">{value}</p>
      <p className="mt-1 flex items-center gap-1.5 text-sm text-muted">
        {icon}
        {label}
      </p>
    </div>
  )
}
