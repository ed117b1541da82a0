import { Card } from './card.tsx'

interface BarRow {
  readonly name: string
  /** The bar is as long as this is compared with the greatest. */
  readonly bar: number
  /** Each of `columns` has one. */
  readonly cells: readonly (string | number)[]
}

/** Shows a bar under each row's name; `max` is a whole bar; without it the greatest of the rows is. */
export function BarCard(props: {
  title: string
  caption?: string
  nameHeader: string
  columns: readonly string[]
  rows: readonly BarRow[]
  max?: number
}) {
  const { title, caption = title, nameHeader, columns, rows } = props
  const max = props.max ?? Math.max(1, ...rows.map(({ bar }) => bar))
  return (
    <Card title={title}>
      <table className="w-full">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-base-300 text-sm text-muted">
            <th scope="col" className="w-full py-1.5 text-left font-medium">
              {nameHeader}
            </th>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="py-1.5 pl-4 text-right font-medium max-[20rem]:[overflow-wrap:anywhere] sm:whitespace-nowrap"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, bar, cells }) => (
            <tr key={name} className="border-b border-base-300 last:border-0">
              <th scope="row" className="py-2 text-left font-normal">
                {name}
                <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-1 h-1.5 w-full" aria-hidden="true">
                  <rect width="100" height="4" className="fill-base-300" />
                  <rect width={(bar / max) * 100} height="4" className="fill-secondary" />
                </svg>
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index]} className="py-2 pl-4 text-right align-top whitespace-nowrap tabular-nums">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
