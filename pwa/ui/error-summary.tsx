import { useEffect, useRef } from 'react'

export interface SummarizedError {
  /** The field's id: the link leads there. */
  fieldId: string
  message: string
}

/** After a refused submit: what is wrong, in one place, each line leading to its field. Takes the focus when it appears. */
export function ErrorSummary({
  title = 'There is a problem',
  errors,
}: {
  title?: string | undefined
  errors: SummarizedError[]
}) {
  const box = useRef<HTMLDivElement>(null)
  const shown = errors.length > 0
  useEffect(() => {
    if (shown) box.current?.focus()
  }, [shown])
  if (!shown) return null
  return (
    <div ref={box} tabIndex={-1} role="alert" className="rounded-box border-2 border-error bg-error-soft p-4">
      <p className="font-semibold text-error">{title}</p>
      <ul>
        {errors.map(({ fieldId, message }) => (
          <li key={fieldId}>
            <a
              href={`#${fieldId}`}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(fieldId)?.focus()
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
