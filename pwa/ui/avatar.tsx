/** Hidden from screen readers: the name stands beside it. */
export function Avatar({
  initials,
  size = 'normal',
  tone = 'paper',
}: {
  initials: string
  size?: 'small' | 'normal' | 'large' | undefined
  tone?: 'paper' | 'lamp' | undefined
}) {
  const sizes = { small: 'size-9 text-sm', normal: 'size-12 text-base', large: 'size-16 text-xl' }
  const tones = { paper: 'bg-quiet-soft text-base-content', lamp: 'bg-primary text-primary-content' }
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center rounded-full font-semibold tracking-wide uppercase ${sizes[size]} ${tones[tone]}`}
    >
      {initials}
    </span>
  )
}
