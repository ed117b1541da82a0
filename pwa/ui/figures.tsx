import { useId, type ReactNode } from 'react'
import { SkeletonLine } from './loading.tsx'

/** Holds its space without a value. */
export function Stat(props: { value: ReactNode; label: ReactNode; hint?: ReactNode; icon?: ReactNode }) {
  const { value, label, hint, icon } = props
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

interface Bar {
  readonly name: string
  readonly value: number
}

const height = 64
const step = 12
const width = 9
const lineWidth = 300

/** Names only the first and last bar; a table below gives the numbers. */
export function BarChart(props: { title: string; nameHeader: string; valueHeader: string; bars: readonly Bar[] }) {
  const { title, nameHeader, valueHeader, bars } = props
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
      <AsTable title={title} nameHeader={nameHeader} valueHeader={valueHeader} rows={bars} shown={String} />
    </figure>
  )
}

/** The scale begins at 0. Only the first and last point are named; a table below gives the values. */
export function LineChart(props: {
  title: string
  hint?: string | undefined
  nameHeader: string
  points: readonly Bar[]
  /** Also of the sum, which stands above the line. */
  shown: (value: number) => string
}) {
  const { title, hint, nameHeader, points, shown } = props
  const titleId = useId()
  const highest = Math.max(...points.map(({ value }) => value))
  const most = Math.max(1, highest)
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return null
  const y = (value: number) => height - 2 - (value / most) * (height - 4)
  const x = (index: number) => (points.length === 1 ? 0 : (index / (points.length - 1)) * lineWidth)
  return (
    <figure aria-labelledby={titleId}>
      <figcaption className="flex items-baseline justify-between gap-4 text-sm text-muted">
        <span id={titleId}>{title}</span>
        <span className="text-right tabular-nums">{[hint, `most: ${shown(highest)}`].filter(Boolean).join(' · ')}</span>
      </figcaption>
      <p className="text-2xl font-semibold tracking-tight tabular-nums">
        {shown(points.reduce((sum, { value }) => sum + value, 0))}
      </p>
      <svg
        viewBox={`0 0 ${lineWidth} ${height}`}
        preserveAspectRatio="none"
        className="mt-2 h-20 w-full text-secondary"
        aria-hidden="true"
      >
        <line x1="0" x2={lineWidth} y1={height - 0.5} y2={height - 0.5} className="stroke-base-300" />
        <polyline
          points={points.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="mt-1 flex justify-between gap-4 text-xs text-muted" aria-hidden="true">
        <span>{first.name}</span>
        {last !== first && <span className="text-right">{last.name}</span>}
      </p>
      <AsTable title={title} nameHeader={nameHeader} valueHeader={title} rows={points} shown={shown} />
    </figure>
  )
}

interface TableProps {
  readonly title: string
  readonly nameHeader: string
  readonly valueHeader: string
  readonly rows: readonly Bar[]
  readonly shown: (value: number) => string
}

function AsTable({ title, nameHeader, valueHeader, rows, shown }: TableProps) {
  return (
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
          {rows.map(({ name, value }) => (
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
