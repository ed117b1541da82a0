import { SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { radiusChoicesMiles } from '#shared/domain/event-search.ts'
import { usStates } from '#shared/domain/us-states.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useMedia } from '../manage/use-media.ts'
import { countFilters, noFilters } from './filter-address.ts'
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
        onChange={({ target }) => control.typeZip(target.value)}
        onBlur={control.finishTyping}
        onKeyDown={({ key }) => key === 'Enter' && control.finishTyping()}
      />
      <SelectField
        label="Distance"
        value={search.radiusMiles}
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

/** A filter that is set, where the fields themselves are folded away; a press takes it back. */
function SetFilter({ children, onRemove }: { children: string; onRemove: () => void }) {
  return (
    <Button
      variant="secondary"
      size="small"
      className="rounded-full"
      aria-label={`Remove filter: ${children}`}
      onClick={onRemove}
    >
      {children}
      <X aria-hidden="true" className="size-4 text-muted" />
    </Button>
  )
}

function FoldedFilters({ control, showLabel }: { control: SearchControl; showLabel: string }) {
  const [open, setOpen] = useState(false)
  const { search } = control
  const { state, zipCode, radiusMiles } = search
  const count = countFilters(search)
  const clear = (
    <Button variant="ghost" size="small" onClick={control.clearFilters}>
      Clear Filters
    </Button>
  )
  return (
    <div className="mb-4">
      <div className="flex gap-2">
        <SearchBox control={control} />
        <Button
          variant="secondary"
          className="shrink-0"
          icon={<SlidersHorizontal aria-hidden="true" className="size-5" />}
          aria-haspopup="dialog"
          aria-label={count === 0 ? 'Filters' : `Filters, ${count} set`}
          onClick={() => setOpen(true)}
        >
          Filters
          {count > 0 && <Badge tone="signal">{count}</Badge>}
        </Button>
      </div>
      {count > 0 && !open && (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          {state && <SetFilter onRemove={() => control.choose({ state: '' })}>{state}</SetFilter>}
          {zipCode && (
            <SetFilter onRemove={() => control.choose({ zipCode: '', radiusMiles: noFilters.radiusMiles })}>
              {`${radiusMiles} miles of ${zipCode}`}
            </SetFilter>
          )}
          {clear}
        </div>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Filters"
        shape="box"
        footer={
          <div className="flex flex-wrap items-center justify-between gap-3">
            {count > 0 ? clear : <span />}
            <Button onClick={() => setOpen(false)}>{showLabel}</Button>
          </div>
        }
      >
        <div className="flex flex-col gap-4">
          <FilterFields control={control} />
        </div>
      </Dialog>
    </div>
  )
}

function SearchBox({ control }: { control: SearchControl }): ReactNode {
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

/**
 * What the list is searched by: in a row on a desktop, folded into one control on a phone.
 * @param showLabel what closes the folded filters, saying what is behind them: 'Show 3 events'
 */
export function EventFilters({ control, showLabel }: { control: SearchControl; showLabel: string }) {
  const isWide = useMedia('(min-width: 48rem)')
  if (!isWide) return <FoldedFilters control={control} showLabel={showLabel} />
  return (
    <div className="mb-5 grid grid-cols-[minmax(0,1fr)_12rem_7rem_8rem] items-end gap-3">
      <SearchBox control={control} />
      <FilterFields control={control} />
      {countFilters(control.search) > 0 && (
        <Button
          variant="ghost"
          size="small"
          className="col-start-2 col-end-5 justify-self-end"
          onClick={control.clearFilters}
        >
          Clear Filters
        </Button>
      )}
    </div>
  )
}
