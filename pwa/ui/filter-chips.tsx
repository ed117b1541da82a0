import type { ReactNode } from 'react'

export interface FilterChip<Value extends string> {
  value: Value
  label: string
  count?: number | undefined
  icon?: ReactNode | undefined
}

/**
 * One of a few views on a list, with how many each holds. `sticky` keeps them under the header while the list scrolls;
 * on a narrow phone the row scrolls sideways.
 */
export function FilterChips<Value extends string>({
  label,
  chips,
  value,
  onChange,
  sticky = false,
}: {
  label: string
  chips: FilterChip<Value>[]
  value: Value
  onChange: (value: Value) => void
  sticky?: boolean | undefined
}) {
  return (
    <fieldset
      aria-label={label}
      className={`no-print -mx-4 flex min-w-0 [scrollbar-width:none] gap-2 overflow-x-auto px-4 py-2 sm:mx-0 sm:flex-wrap sm:px-1 ${
        sticky ? 'sticky top-[calc(var(--header-height)+var(--safe-top))] z-20 bg-base-200' : ''
      }`}
    >
      {chips.map((chip) => {
        const chosen = chip.value === value
        return (
          <button
            key={chip.value}
            type="button"
            aria-pressed={chosen}
            onClick={() => onChange(chip.value)}
            className={`inline-flex min-h-11 shrink-0 cursor-pointer items-center gap-2 rounded-full border px-4 font-medium transition-colors duration-150 ${
              chosen
                ? 'border-secondary bg-secondary text-secondary-content'
                : 'border-base-300 bg-base-100 hover:border-edge'
            }`}
          >
            {chip.icon}
            {chip.label}
            {chip.count !== undefined && (
              <span className={`tabular-nums ${chosen ? '' : 'text-muted'}`}>{chip.count}</span>
            )}
          </button>
        )
      })}
    </fieldset>
  )
}
