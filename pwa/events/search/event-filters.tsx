import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { radiusChoicesMiles } from '#shared/events/event-search.ts'
import { usStates } from '#shared/places/us-states.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchField, TextField } from '../../ui/text-field.tsx'
import { SelectField } from '../../ui/choice-fields.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { fetchZipTable } from './zip-codes.ts'
import { countFilters } from './served-search.ts'
import type { SearchControl } from './use-search.ts'

function FilterFields({ control }: { control: SearchControl }) {
  const { search, typed } = control
  return (
    <>
      <SelectField
        label="State"
        value={search.state}
        onChange={({ target }) => control.choose({ state: target.value })}
      >
        <option value="">All states</option>
        {usStates.map((state) => (
          <option key={state}>{state}</option>
        ))}
      </SelectField>
      <TextField
        label="ZIP code"
        inputMode="numeric"
        autoComplete="postal-code"
        enterKeyHint="search"
        maxLength={5}
        value={typed.zipCode}
        onFocus={fetchZipTable}
        onChange={({ target }) => control.typeZip(target.value)}
        onBlur={control.finishTyping}
        onKeyDown={({ key }) => key === 'Enter' && control.finishTyping()}
      />
      <SelectField
        label="Distance"
        value={search.radiusMiles}
        onFocus={fetchZipTable}
        onChange={({ target }) => control.choose({ radiusMiles: Number(target.value) })}
      >
        {radiusChoicesMiles.map((miles) => (
          <option key={miles} value={miles}>
            {miles} miles
          </option>
        ))}
      </SelectField>
    </>
  )
}

function FoldedFilters({ control, showLabel }: { control: SearchControl; showLabel: string }) {
  const [open, setOpen] = useState(false)
  const count = countFilters(control.search)
  return (
    <>
      <div className="flex gap-2">
        <SearchBox control={control} />
        <Button
          variant="secondary"
          className="shrink-0"
          icon={<SlidersHorizontal className="size-5" />}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          Filters
          {count > 0 && (
            <Badge tone="signal">
              {count}
              <span className="sr-only"> set</span>
            </Badge>
          )}
        </Button>
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Filters"
        shape="box"
        footer={
          <div className="flex flex-row-reverse flex-wrap items-center justify-between gap-3 [&>:nth-child(2)]:ml-0">
            <Button onClick={() => setOpen(false)}>{showLabel}</Button>
            <ClearFilters control={control} />
          </div>
        }
      >
        <div className="flex flex-col gap-4">
          <FilterFields control={control} />
        </div>
      </Dialog>
    </>
  )
}

function SearchBox({ control }: { control: SearchControl }) {
  return (
    <SearchField
      label="Search events by name, place or topic"
      placeholder="Name, place or topic"
      enterKeyHint="search"
      value={control.typed.text}
      onChange={({ target }) => control.type(target.value)}
      onBlur={control.finishTyping}
    />
  )
}

/** @param showLabel of the folded filters' button: 'Show 3 events' */
export function EventFilters({ control, showLabel }: { control: SearchControl; showLabel: string }) {
  const isWide = useMedia('(min-width: 48rem)')
  if (!isWide) return <FoldedFilters control={control} showLabel={showLabel} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_12rem_7rem_8rem] items-end gap-3">
      <SearchBox control={control} />
      <FilterFields control={control} />
    </div>
  )
}

export function ClearFilters({ control }: { control: SearchControl }) {
  if (countFilters(control.search) === 0) return null
  return (
    <Button variant="ghost" size="small" className="ml-auto shrink-0" onClick={control.clearFilters}>
      Clear Filters
    </Button>
  )
}
