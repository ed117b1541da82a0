import { Eye, EyeOff, Search } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode, type ChangeEvent } from 'react'
import { FieldFrame, useFieldIds, type FieldTexts } from './field.tsx'

export type TextFieldProps = FieldTexts & ComponentProps<'input'> & { icon?: ReactNode }

/** `register('name')` of react-hook-form spreads in; a password can be made visible. */
export function TextField({
  label,
  hint,
  error,
  optional,
  labelHidden,
  icon,
  className = '',
  id,
  type = 'text',
  ...input
}: TextFieldProps) {
  const ids = useFieldIds({ hint, error }, id, input['aria-describedby'])
  const [visible, setVisible] = useState(false)
  const field = (
    <input
      {...input}
      id={ids.field}
      type={type === 'password' && visible ? 'text' : type}
      aria-invalid={error ? true : undefined}
      aria-describedby={ids.describedBy}
      className={`input ${icon ? 'pl-10' : ''} ${type === 'password' ? 'pr-12' : ''} ${className}`}
    />
  )
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} optional={optional} labelHidden={labelHidden}>
      {icon || type === 'password' ? (
        <div className="relative">
          {icon && (
            <span className="pointer-events-none absolute inset-y-0 left-3 z-10 grid place-items-center text-muted">
              {icon}
            </span>
          )}
          {field}
          {type === 'password' && (
            <button
              type="button"
              className="absolute inset-y-0 right-0 z-10 grid w-11 cursor-pointer place-items-center rounded-field text-muted hover:text-base-content"
              aria-label="Show password"
              aria-pressed={visible}
              onClick={() => setVisible(!visible)}
            >
              {visible ? <EyeOff className="size-5" /> : <Eye className="size-5" />}
            </button>
          )}
        </div>
      ) : (
        field
      )}
    </FieldFrame>
  )
}

type TextareaFieldProps = FieldTexts &
  ComponentProps<'textarea'> & {
    /** Shows 'n words · 100–150 suggested'; nothing is refused for it. */
    suggestedWords?: { from: number; to: number } | undefined
    /** Text set from outside after the first paint, for the counter. */
    countedText?: string | undefined
  }

export function countWords(text: string): number {
  return text.split(/\s+/u).filter(Boolean).length
}

/** Grows with its text where the browser can do that. */
export function TextareaField(props: TextareaFieldProps) {
  const {
    label,
    hint,
    error,
    optional,
    labelHidden,
    suggestedWords,
    countedText,
    className = '',
    id,
    onChange,
    ...textarea
  } = props
  const ids = useFieldIds({ hint, error }, id, textarea['aria-describedby'])
  const [typed, setTyped] = useState(String(textarea.defaultValue ?? ''))
  const text = countedText ?? (textarea.value === undefined ? typed : String(textarea.value))
  const words = suggestedWords ? countWords(text) : 0
  const change = (event: ChangeEvent<HTMLTextAreaElement>) => {
    if (suggestedWords) setTyped(event.target.value)
    return onChange?.(event)
  }
  return (
    <FieldFrame
      ids={ids}
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      labelHidden={labelHidden}
      aside={
        suggestedWords && (
          <p className="text-sm text-muted tabular-nums">
            {words} {words === 1 ? 'word' : 'words'} · {suggestedWords.from}–{suggestedWords.to} suggested
          </p>
        )
      }
    >
      <textarea
        rows={4}
        {...textarea}
        id={ids.field}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
        onChange={change}
        className={`textarea field-sizing-content max-h-[60dvh] min-h-28 py-2.5 leading-normal ${className}`}
      />
    </FieldFrame>
  )
}

export function SearchField({ label, className = '', ...input }: ComponentProps<'input'> & { label: string }) {
  return (
    <label className={`input ${className}`}>
      <Search className="size-5 shrink-0 text-muted" />
      <input {...input} type="search" aria-label={label} />
    </label>
  )
}
