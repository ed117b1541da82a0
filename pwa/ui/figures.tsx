import { useId, type ReactNode } from 'react'
import { SkeletonLine } from './loading.tsx'

/** Holds its space without a value. */
export function Stat({ value, label, hint }: { value: ReactNode; label: ReactNode; hint?: ReactNode }) {
  return (
    <div className="rounded-box border border-base-300 bg-base-100 p-4 sm:p-5">
      <p className="text-3xl font-semibold tracking-tight tabular-nums">
        {value ?? <SkeletonLine className="my-1.5 h-6 w-16" />}
      </p>
      <p className="mt-1 flex items-center gap-1.5 text-sm text-muted">{label}</p>
      {hint && <p className="text-sm text-muted">{hint}</p>}
    </div>
  )
}

/** `label` is the accessible name, shown above with the figures. */
export function ProgressBar(props: { label: string; value: number; max: number; figures?: string | undefined }) {
  const { label, value, max, figures } = props
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-4 text-sm">
        <span>{label}</span>
        <span className="text-muted tabular-nums">{figures ?? `${value} of ${max}`}</span>
      </div>
      <progress className="progress h-2.5 w-full text-primary" aria-label={label} value={value} max={max} />
    </div>
  )
}

interface Point {
  readonly name: string
  readonly value: number
}

const height = 64

interface ChartProps {
  readonly title: string
  readonly nameHeader: string
  readonly points: readonly Point[]
}

/** Names only the first and last point; a table below gives the values. */
function Chart(
  props: ChartProps & {
    readonly width: number
    readonly max: string
    readonly sum?: string
    readonly valueHeader: string
    readonly shown: (value: number) => string
    readonly children: ReactNode
  },
) {
  const { title, nameHeader, points, width, max, sum, valueHeader, shown, children } = props
  const titleId = useId()
  const first = points[0]
  const last = points.at(-1)
  return (
    <figure aria-labelledby={titleId}>
      <figcaption className="flex items-baseline justify-between gap-4 text-sm text-muted">
        <span id={titleId}>{title}</span>
        <span className="text-right tabular-nums">{max}</span>
      </figcaption>
      {sum && <p className="text-2xl font-semibold tracking-tight tabular-nums">{sum}</p>}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="mt-2 h-20 w-full text-secondary"
        aria-hidden="true"
      >
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-base-300" />
        {children}
      </svg>
      <p className="mt-1 flex justify-between gap-4 text-xs text-muted" aria-hidden="true">
        <span>{first?.name}</span>
        {last !== first && <span className="text-right">{last?.name}</span>}
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
            {points.map(({ name, value }) => (
              <tr key={name} className="border-b border-base-300 last:border-0">
                <th scope="row" className="py-1.5 text-left font-normal">
                  {name}
                </th>
                <td className="py-1.5 text-right tabular-nums">{shown(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

const step = 12
const barWidth = 9

export function BarChart(props: ChartProps & { readonly valueHeader: string }) {
  const { points } = props
  const max = Math.max(1, ...points.map(({ value }) => value))
  if (points.length === 0) return null
  return (
    <Chart {...props} width={Math.max(points.length, 7) * step} max={`max: ${max}`} shown={String}>
      {points.map(({ name, value }, index) => {
        const size = Math.max((value / max) * (height - 4), value > 0 ? 2 : 0)
        return (
          <rect
            key={name}
            x={index * step + (step - barWidth) / 2}
            y={height - size - 1}
            width={barWidth}
            height={size}
            fill="currentColor"
          />
        )
      })}
    </Chart>
  )
}

const lineWidth = 300

/** The scale begins at 0. @param shown also of the sum, which is above the line */
export function LineChart(props: ChartProps & { hint?: string | undefined; shown: (value: number) => string }) {
  const { hint, ...chart } = props
  const { title, points, shown } = chart
  const highest = Math.max(...points.map(({ value }) => value))
  const max = Math.max(1, highest)
  if (points.length === 0) return null
  const y = (value: number) => height - 2 - (value / max) * (height - 4)
  const x = (index: number) => (points.length === 1 ? 0 : (index / (points.length - 1)) * lineWidth)
  return (
    <Chart
      {...chart}
      width={lineWidth}
      max={[hint, `max: ${shown(highest)}`].filter(Boolean).join(' · ')}
      sum={shown(points.reduce((sum, { value }) => sum + value, 0))}
      valueHeader={title}
    >
      <polyline
        points={points.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </Chart>
  )
}

interface Part {
  readonly name: string
  readonly value: number
  readonly tone: 'signal' | 'success' | 'quiet'
}

const fills = { signal: 'fill-primary', success: 'fill-success', quiet: 'fill-edge' } as const
const dots = { signal: 'bg-primary', success: 'bg-success', quiet: 'bg-edge' } as const

/** Every part also appears with its number in words. */
export function ShareBar({ label, parts }: { label: string; parts: readonly Part[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  return (
    <div>
      <p className="text-sm text-muted">{label}</p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-2 h-3 w-full rounded-full" aria-hidden="true">
        {parts.map(({ name, value, tone }, index) => {
          const before = parts.slice(0, index).reduce((sum, part) => sum + part.value, 0)
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
