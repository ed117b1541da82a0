/** A small turning ring. `label` is read out; without it the ring is decoration beside a text that says the same. */
export function Spinner({ label, className = '' }: { label?: string | undefined; className?: string | undefined }) {
  return (
    <span
      className={`loading loading-spinner size-5 shrink-0 ${className}`}
      role={label ? 'status' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    />
  )
}

/** The waiting state of a whole page: a spinner in its middle, named for the screen reader. */
export function PageSpinner({ label = 'Loading' }: { label?: string | undefined }) {
  return (
    <div className="grid min-h-[50dvh] place-items-center text-muted">
      <Spinner label={label} className="size-8" />
    </div>
  )
}
