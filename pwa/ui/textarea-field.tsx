import { useState } from 'react'
import type { ChangeEvent, ComponentProps } from 'react'
import { FieldFrame, useFieldIds } from './field.tsx'
import type { FieldTexts } from './field.tsx'

export type TextareaFieldProps = FieldTexts &
  ComponentProps<'textarea'> & {
    /** Shows "n words · 100–150 suggested" below. A suggestion: nothing is refused for it. */
    suggestedWords?: { from: number; to: number } | undefined
    /** Pass the text where it is set from outside after the first paint, so the counter follows. */
    countedText?: string | undefined
  }

/** Number of words: runs of characters between white space. */
export function countWords(text: string): number {
  return text.split(/\s+/u).filter(Boolean).length
}

/** Several lines of text; grows with what is written where the browser can do that. */
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
