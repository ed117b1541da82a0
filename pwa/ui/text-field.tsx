import { Eye, EyeOff, Search } from 'lucide-react'
import { useState, type ComponentProps, type ChangeEvent } from 'react'
import { FieldFrame, useField, type FieldTexts } from './field.tsx'

export type TextFieldProps = FieldTexts & ComponentProps<'input'>

/** `register('name')` of react-hook-form spreads in; a password can be made visible. */
export function TextField({ className = '', type = 'text', ...props }: TextFieldProps) {
  const { frame, control } = useField(props)
  const [visible, setVisible] = useState(false)
  if (type !== 'password') {
    return (
      <FieldFrame {...frame}>
        <input {...control} type={type} className={`input ${className}`} />
      </FieldFrame>
    )
  }
  return (
    <FieldFrame {...frame}>
      <div className="relative">
        <input {...control} type={visible ? 'text' : type} className={`input pr-12 ${className}`} />
        <button
          type="button"
          className="absolute inset-y-0 right-0 z-10 grid w-11 cursor-pointer place-items-center rounded-field text-muted hover:text-base-content"
          aria-label="Show password"
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
        >
          {visible ? <EyeOff className="size-5" /> : <Eye className="size-5" />}
        </button>
      </div>
    </FieldFrame>
  )
}

type TextareaFieldProps = FieldTexts &
  ComponentProps<'textarea'> & {
    /** Shows 'n words · 100–150 suggested'; nothing is refused for it. */
    suggestedWords?: { from: number; to: number } | undefined
    /** The counter needs a text that is set from outside after the first paint. */
    countedText?: string | undefined
  }

export function countWords(text: string): number {
  return text.split(/\s+/u).filter(Boolean).length
}

/** Grows with its text where the browser can do that. */
export function TextareaField({ suggestedWords, countedText, className = '', ...props }: TextareaFieldProps) {
  const { frame, control } = useField(props)
  const [typed, setTyped] = useState(String(props.defaultValue ?? ''))
  const text = countedText ?? (props.value === undefined ? typed : String(props.value))
  const words = suggestedWords ? countWords(text) : 0
  const change = (event: ChangeEvent<HTMLTextAreaElement>) => {
    if (suggestedWords) setTyped(event.target.value)
    return props.onChange?.(event)
  }
  return (
    <FieldFrame
      {...frame}
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
        {...control}
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
