import { FailureBoundary, undrawnRow } from '../../ui/failure-boundary.tsx'
import { ApplicationCard } from './application-card.tsx'
import type { ApplicantListProps } from './applications-table.tsx'
import { useVirtualRows } from './virtual-rows.ts'

const gap = 12

export function ApplicationsCards({ ids, byId, list, currentId, chosen }: ApplicantListProps) {
  const { rows, after, list: ul, measure } = useVirtualRows({ ids, currentId, estimate: 268, gap, overscan: 6 })
  return (
    <ul ref={ul} aria-label="Applicants" className="[overflow-anchor:none]" style={{ paddingBottom: after }}>
      {rows.map(({ id, index, before }) => {
        const row = byId.get(id)
        return (
          row && (
            <li
              key={id}
              ref={measure}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={ids.length}
              style={{ marginTop: before }}
            >
              <FailureBoundary of={row} renderInstead={() => <p className="px-4 py-3 text-muted">{undrawnRow}</p>}>
                <ApplicationCard row={row} current={id === currentId} chosen={chosen.has(id)} list={list} />
              </FailureBoundary>
            </li>
          )
        )
      })}
    </ul>
  )
}
