/** A leaf of the calendar, as a picture of the date: the date in words stands beside it for screen readers. */
export function DateTile({
  month,
  day,
  size = 'normal',
}: {
  /** Short, as in "Mar". */
  month: string
  day: number | string
  size?: 'normal' | 'large' | undefined
}) {
  const large = size === 'large'
  return (
    <span
      aria-hidden="true"
      className={`flex shrink-0 flex-col self-start overflow-hidden rounded-xl border border-base-300 bg-base-100 text-center leading-none ${large ? 'w-18' : 'w-14'}`}
    >
      <span className="bg-hall py-1 text-xs font-semibold tracking-wide text-hall-signal uppercase">{month}</span>
      <span className={`font-semibold tabular-nums ${large ? 'py-3 text-3xl' : 'py-2 text-xl'}`}>{day}</span>
    </span>
  )
}
