import { Keyboard, ListChecks } from 'lucide-react'
import type { EventRow } from '../../../sync/index.ts'
import { IconButton } from '../../../ui/button.tsx'
import { FilterChips, SelectField, type FilterChip } from '../../../ui/choice-fields.tsx'
import { SearchField } from '../../../ui/text-field.tsx'
import { Glyph } from '../../../ui/status-badge.tsx'
import { Tooltip, TooltipProvider } from '../../../ui/tooltip.tsx'
import type { ListFilter, SortOrder } from '../shown-applicant.ts'

const orders: Record<SortOrder, string> = {
  waiting: 'Waiting first',
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'By name',
  event: 'By event',
  starred: 'Starred first',
}

export interface ListView {
  readonly filter: ListFilter
  readonly order: SortOrder
  readonly typed: string
}

/**
 * @param counts null while some applications are not on the device
 * @param here null while arrivals are not offered and none is marked
 */
export function statusChips(
  counts: EventRow['counts'] | null,
  here: { label: string; count: number } | null,
): FilterChip<ListFilter>[] {
  return [
    { value: 'all', label: 'All', count: counts ? counts.pending + counts.approved + counts.rejected : undefined },
    { value: 'pending', label: 'Pending', count: counts?.pending, icon: <Glyph of="pending" /> },
    { value: 'approved', label: 'Approved', count: counts?.approved, icon: <Glyph of="approved" /> },
    { value: 'rejected', label: 'Rejected', count: counts?.rejected, icon: <Glyph of="rejected" /> },
    ...(here ? [{ value: 'here' as const, ...here }] : []),
  ]
}

export function ApplicationsToolbar(props: {
  chips: readonly FilterChip<ListFilter>[]
  severalEvents: boolean
  view: ListView
  onView: (change: Partial<ListView>) => void
  selecting: boolean
  onSelect: () => void
  asOf: string | null
  onHelp: () => void
}) {
  const { chips, severalEvents, view, onView, selecting, onSelect, asOf, onHelp } = props
  return (
    <TooltipProvider>
      <div className="z-20 sm:sticky sm:top-[calc(var(--header-height)+var(--safe-top))] sm:flex sm:flex-wrap sm:items-center sm:gap-x-4 sm:bg-base-200 max-sm:contents">
        {chips.length > 0 && (
          <FilterChips
            label="Show applications"
            sticky
            oneLine={severalEvents}
            value={view.filter}
            onChange={(filter) => onView({ filter })}
            chips={chips}
          />
        )}
        <div className="flex min-w-0 flex-1 items-center max-[20rem]:flex-wrap justify-end gap-2 max-sm:mt-1 max-sm:mb-3 sm:min-w-96 sm:py-2">
          <div className="min-w-0 flex-1 max-[20rem]:basis-full sm:max-w-80">
            <SearchField
              label="Search applicants"
              placeholder="Search"
              value={view.typed}
              onChange={(event) => onView({ typed: event.target.value })}
            />
          </div>
          <div className="w-34 shrink-0 sm:w-40">
            <SelectField
              label="Order"
              labelHidden
              value={view.order}
              onChange={(event) => onView({ order: event.target.value as SortOrder })}
            >
              {Object.entries(orders)
                .filter(([value]) => severalEvents || value !== 'event')
                .map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
            </SelectField>
          </div>
          <Tooltip hint="Select several">
            <IconButton
              label="Select"
              variant={selecting ? 'chosen' : 'secondary'}
              aria-pressed={selecting}
              onClick={onSelect}
            >
              <ListChecks className="size-5" />
            </IconButton>
          </Tooltip>
          <div className="hidden sm:pointer-fine:block">
            <Tooltip hint="Keyboard shortcuts">
              <IconButton label="Keyboard shortcuts" onClick={onHelp}>
                <Keyboard className="size-5" />
              </IconButton>
            </Tooltip>
          </div>
        </div>
      </div>
      {asOf && <p className="mb-2 text-sm text-muted">{asOf}</p>}
    </TooltipProvider>
  )
}
