/** How much of `max` is done. `label` names it and is shown above with the figures. */
export function ProgressBar({
  label,
  value,
  max,
  figures,
}: {
  label: string
  value: number
  max: number
  figures?: string | undefined
}) {
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-4 text-sm">
        <span>{label}</span>
        <span className="text-muted tabular-nums">{figures ?? `${value} of ${max}`}</span>
      </div>
      <progress className="progress h-2.5 w-full text-primary" aria-label={label} value={value} max={max} />
    </div>
  )
}
