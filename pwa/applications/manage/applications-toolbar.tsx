import { Keyboard, ListChecks } from 'lucide-react'
import type { ApplicationCounts } from '../../sync/index.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FilterChips, SelectField, type FilterChip } from '../../ui/choice-fields.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { Glyph } from '../../ui/status-badge.tsx'
import { Tooltip, TooltipProvider } from '../../ui/tooltip.tsx'
import type { SortOrder, StatusFilter } from './shown-applicant.ts'

const orders: Record<SortOrder, string> = {
  waiting: 'Waiting first',
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'By name',
  starred: 'Starred first',
}

export interface ListView {
  readonly filter: StatusFilter
  readonly order: SortOrder
  readonly typed: string
}

export function ApplicationsToolbar(props: {
  counts: ApplicationCounts
  /** Null while arrivals are not offered and none is marked. */
  hereCount: number | null
  view: ListView
  onView: (change: Partial<ListView>) => void
  selecting: boolean
  onSelect: () => void
  asOf: string | null
  onHelp: () => void
}) {
  const { counts, hereCount, view, onView, selecting, onSelect, asOf, onHelp } = props
  const chips: FilterChip<StatusFilter>[] = [
    { value: 'all', label: 'All', count: counts.pending + counts.approved + counts.rejected },
    { value: 'pending', label: 'Pending', count: counts.pending, icon: <Glyph of="pending" /> },
    { value: 'approved', label: 'Approved', count: counts.approved, icon: <Glyph of="approved" /> },
    { value: 'rejected', label: 'Rejected', count: counts.rejected, icon: <Glyph of="rejected" /> },
  ]
  if (hereCount !== null) chips.push({ value: 'here', label: 'Here today', count: hereCount })
  return (
    <>
      <FilterChips
        label="Show applications"
        sticky
        value={view.filter}
        onChange={(filter) => onView({ filter })}
        chips={chips}
      />
      <div className="mt-2 mb-4 flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-[1_1_14rem] sm:max-w-sm">
          <SearchField
            label="Search applicants"
            placeholder="Name, company, e-mail"
            value={view.typed}
            onChange={(event) => onView({ typed: event.target.value })}
          />
        </div>
        <div className="flex flex-[1_1_16rem] gap-2 sm:flex-none">
          <div className="min-w-0 flex-1 sm:w-44">
            <SelectField
              label="Order"
              labelHidden
              value={view.order}
              onChange={(event) => onView({ order: event.target.value as SortOrder })}
            >
              {Object.entries(orders).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
          </div>
          <Button
            variant={selecting ? 'chosen' : 'secondary'}
            aria-pressed={selecting}
            icon={<ListChecks aria-hidden="true" className="size-5" />}
            onClick={onSelect}
          >
            Select
          </Button>
        </div>
        {asOf && <p className="text-sm text-muted">{asOf}</p>}
        <div className="ml-auto hidden sm:pointer-fine:block">
          <TooltipProvider>
            <Tooltip hint="Keyboard shortcuts">
              <IconButton label="Keyboard shortcuts" onClick={onHelp}>
                <Keyboard aria-hidden="true" className="size-5" />
              </IconButton>
            </Tooltip>
          </TooltipProvider>
        </div>
      </div>
    </>
  )
}
