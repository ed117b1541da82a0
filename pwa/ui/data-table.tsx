/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- Safari does not put a scrolling box into the Tab order. */
import { memo } from 'react'
import type { ReactNode } from 'react'
import { FailureBoundary, undrawnRow } from './failure-boundary.tsx'

export interface Column<Row> {
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** This cell names its row. */
  rowHeader?: boolean | undefined
  align?: 'start' | 'end' | undefined
  /** `shrink` keeps dates and buttons on one line. */
  width?: 'grow' | 'shrink' | undefined
  /** It is hidden on narrow screens, where another cell shows the content. */
  wideOnly?: boolean | undefined
}

function cellClass<Row>(column: Column<Row>): string {
  return `px-4 py-3 align-middle ${column.align === 'end' ? 'text-right tabular-nums' : 'text-left'} ${
    column.width === 'shrink' ? 'w-px whitespace-nowrap' : ''
  } ${column.wideOnly ? 'max-sm:hidden' : ''}`
}

function PlainRow<Row>({ row, name, columns }: { row: Row; name: string | number; columns: readonly Column<Row>[] }) {
  return (
    <tr data-row={name} className="border-b border-base-300 last:border-0 hover:bg-quiet-soft/60">
      {columns.map((column) => {
        const Cell = column.rowHeader ? 'th' : 'td'
        return (
          <Cell
            key={column.key}
            scope={column.rowHeader ? 'row' : undefined}
            className={`${cellClass(column)} font-normal`}
          >
            {column.cell(row)}
          </Cell>
        )
      })}
    </tr>
  )
}

function UndrawnRow({ columns }: { columns: number }) {
  return (
    <tr>
      <td colSpan={columns} className="px-4 py-3 text-muted">
        {undrawnRow}
      </td>
    </tr>
  )
}

/** A row is rendered again only when it or the columns change. */
const DataRow = memo(PlainRow) as typeof PlainRow

/**
 * `caption` is visually hidden unless `showCaption`. Scrolls sideways and can then be reached with Tab. A stable
 * `columns` array keeps unchanged rows from being painted.
 */
export function DataTable<Row>(props: {
  caption: string
  showCaption?: boolean | undefined
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
}) {
  const { caption, showCaption = false, columns, rows, rowKey } = props
  return (
    <section
      aria-label={caption}
      tabIndex={0}
      className="overflow-x-auto rounded-box border border-base-300 bg-base-100"
    >
      <table className="w-full border-collapse text-base">
        <caption className={showCaption ? 'px-4 py-3 text-left text-muted' : 'sr-only'}>{caption}</caption>
        <thead>
          <tr className="border-b border-base-300">
            {columns.map((column) => (
              <th key={column.key} scope="col" className={`${cellClass(column)} text-sm font-medium text-muted`}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row)
            return (
              <FailureBoundary key={key} of={row} renderInstead={() => <UndrawnRow columns={columns.length} />}>
                <DataRow row={row} name={key} columns={columns} />
              </FailureBoundary>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
