import type { ComponentProps, ReactNode } from 'react'
import { FieldError, useField, Fieldset, FieldFrame, type FieldTexts } from './field.tsx'

export type CheckboxFieldProps = Omit<FieldTexts, 'optional' | 'labelHidden'> &
  ComponentProps<'input'> & {
    /** `switch` is for settings that take effect at once. */
    look?: 'box' | 'switch' | undefined
  }

export function CheckboxField({ look = 'box', className = '', ...props }: CheckboxFieldProps) {
  const { frame, control } = useField(props)
  const { ids, label, hint, error } = frame
  return (
    <div>
      {error && <FieldError id={ids.error}>{error}</FieldError>}
      <label htmlFor={ids.field} className="flex min-h-11 cursor-pointer items-start gap-3 py-2.5">
        <input
          {...control}
          type="checkbox"
          role={look === 'switch' ? 'switch' : undefined}
          className={`${look === 'switch' ? 'toggle' : 'checkbox'} ${className}`}
        />
        <span className="min-w-0">
          <span className="font-medium">{label}</span>
          {hint && (
            <span id={ids.hint} className="block text-sm text-muted">
              {hint}
            </span>
          )}
        </span>
      </label>
    </div>
  )
}

/** For where its surroundings name it; its target is 44 px. */
export function Checkbox({ label, className = '', ...input }: ComponentProps<'input'> & { label: string }) {
  return (
    <label className={`grid size-11 shrink-0 cursor-pointer place-items-center ${className}`}>
      <input {...input} type="checkbox" aria-label={label} className="checkbox" />
    </label>
  )
}

interface RadioOption {
  value: string
  label: ReactNode
  hint?: ReactNode | undefined
}

type RadioGroupFieldProps = Omit<FieldTexts, 'labelHidden'> & ComponentProps<'input'> & { options: RadioOption[] }

/** `register('name')` spreads in: every button gets it. */
export function RadioGroupField(props: RadioGroupFieldProps) {
  const { label, hint, error, optional, options, defaultValue, value, ...input } = props
  return (
    <Fieldset legend={label} hint={hint} error={error} optional={optional} gap="small">
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-field border border-edge bg-base-100 px-3.5 py-2 transition-colors duration-150 hover:bg-base-200 has-checked:border-base-content has-checked:bg-quiet-soft"
        >
          <input
            {...input}
            type="radio"
            value={option.value}
            defaultChecked={defaultValue === undefined ? undefined : defaultValue === option.value}
            checked={value === undefined ? undefined : value === option.value}
            className="radio"
          />
          <span className="min-w-0 flex-1">
            {option.label}
            {option.hint && <span className="block text-sm text-muted">{option.hint}</span>}
          </span>
        </label>
      ))}
    </Fieldset>
  )
}

type SelectFieldProps = FieldTexts & ComponentProps<'select'>

export function SelectField({ className = '', ...props }: SelectFieldProps) {
  const { frame, control } = useField(props)
  return (
    <FieldFrame {...frame}>
      <select {...control} className={`select ${className}`} />
    </FieldFrame>
  )
}

export interface FilterChip<Value extends string> {
  value: Value
  label: string
  count?: number | undefined
  icon?: ReactNode | undefined
}

/**
 * `sticky` keeps it under the header while the list scrolls. The row scrolls sideways on narrow phones, and with
 * `oneLine` anywhere.
 */
export function FilterChips<Value extends string>(props: {
  label: string
  chips: readonly FilterChip<Value>[]
  value: Value
  onChange: (value: Value) => void
  sticky?: boolean | undefined
  oneLine?: boolean | undefined
}) {
  const { label, chips, value, onChange, sticky = false, oneLine = false } = props
  return (
    <fieldset
      aria-label={label}
      className={`no-print -mx-4 flex min-w-0 [scrollbar-width:none] gap-2 overflow-x-auto px-4 py-2 sm:mx-0 sm:px-1 ${oneLine ? 'max-w-full sm:[scrollbar-width:thin]' : 'sm:flex-wrap'} ${
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
            <span className="max-w-64 truncate">{chip.label}</span>
            {chip.count !== undefined && (
              <span className={`tabular-nums ${chosen ? '' : 'text-muted'}`}>{chip.count}</span>
            )}
          </button>
        )
      })}
    </fieldset>
  )
}
