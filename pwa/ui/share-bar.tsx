interface Part {
  readonly name: string
  readonly value: number
  readonly tone: 'signal' | 'success' | 'quiet'
}

const fills = { signal: 'fill-primary', success: 'fill-success', quiet: 'fill-edge' } as const
const dots = { signal: 'bg-primary', success: 'bg-success', quiet: 'bg-edge' } as const

/** How a whole is divided: one bar, and every part with its number in words. */
export function ShareBar({ label, parts }: { label: string; parts: readonly Part[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  return (
    <div>
      <p className="text-sm text-muted">{label}</p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-2 h-3 w-full rounded-full" aria-hidden="true">
        {parts.map(({ name, value, tone }, place) => {
          const before = parts.slice(0, place).reduce((sum, part) => sum + part.value, 0)
          const share = (count: number) => (total === 0 ? 0 : (count / total) * 100)
          return (
            <rect
              key={name}
              x={share(before)}
              y="0"
              width={Math.max(0, share(value) - 0.6)}
              height="4"
              className={fills[tone]}
            />
          )
        })}
      </svg>
      <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {parts.map(({ name, value, tone }) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-2.5 rounded-full ${dots[tone]}`} />
            {name} <span className="font-medium tabular-nums">{value}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
