const shortMonths = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The day as a leaf of a calendar ('2026-03-01' → MAR 1). Decoration: the date stands beside it in words. */
export function CalendarLeaf({ date, size = 'normal' }: { date: string; size?: 'normal' | 'large' | undefined }) {
  const [, month = 1, day = 1] = date.split('-').map(Number)
  const large = size === 'large'
  return (
    <span
      aria-hidden="true"
      className={`flex shrink-0 flex-col self-start overflow-hidden rounded-xl border border-base-300 bg-base-100 text-center leading-none ${
        large ? 'w-18' : 'w-14'
      }`}
    >
      <span
        className={`bg-primary font-semibold text-primary-content uppercase ${large ? 'py-1.5 text-sm' : 'py-1 text-xs'}`}
      >
        {shortMonths[month - 1]}
      </span>
      <span className={`font-semibold tabular-nums ${large ? 'py-2.5 text-3xl' : 'py-2 text-2xl'}`}>{day}</span>
    </span>
  )
}
