import { useId } from 'react'

interface Bar {
  readonly name: string
  readonly value: number
}

const height = 64
const step = 12
const width = 9

/** A few numbers as bars, first and last named below; the same numbers as a table for whoever cannot see or wants them exactly. */
export function BarChart({
  title,
  nameHeader,
  valueHeader,
  bars,
}: {
  title: string
  nameHeader: string
  valueHeader: string
  bars: readonly Bar[]
}) {
  const titleId = useId()
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const first = bars[0]
  const last = bars.at(-1)
  if (!first || !last) return null
  const total = Math.max(bars.length, 7) * step
  return (
    <figure aria-labelledby={titleId}>
      <figcaption id={titleId} className="flex items-baseline justify-between gap-4 text-sm text-muted">
        {title}
        <span className="tabular-nums">most: {most}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${total} ${height}`}
        preserveAspectRatio="none"
        className="mt-2 h-20 w-full text-secondary"
        aria-hidden="true"
      >
        <line x1="0" x2={total} y1={height - 0.5} y2={height - 0.5} className="stroke-base-300" />
        {bars.map(({ name, value }, index) => {
          const size = (value / most) * (height - 4)
          return (
            <rect
              key={name}
              x={index * step + (step - width) / 2}
              y={height - Math.max(size, value > 0 ? 2 : 0) - 1}
              width={width}
              height={Math.max(size, value > 0 ? 2 : 0)}
              fill="currentColor"
            />
          )
        })}
      </svg>
      <p className="mt-1 flex justify-between gap-4 text-xs text-muted" aria-hidden="true">
        <span>{first.name}</span>
        {last !== first && <span className="text-right">{last.name}</span>}
      </p>
      <details className="no-print">
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm underline underline-offset-4">
          As a table
        </summary>
        <table className="w-full text-sm">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="border-b border-base-300 text-left text-muted">
              <th scope="col" className="py-1.5 font-medium">
                {nameHeader}
              </th>
              <th scope="col" className="py-1.5 text-right font-medium">
                {valueHeader}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, value }) => (
              <tr key={name} className="border-b border-base-300 last:border-0">
                <th scope="row" className="py-1.5 text-left font-normal">
                  {name}
                </th>
                <td className="py-1.5 text-right tabular-nums">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
