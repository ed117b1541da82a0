/** Screen readers do not see it, because the name is next to it. */
export function Avatar(props: {
  initials: string
  /** The photo at this address covers the initials. */
  face?: string | undefined
  size?: 'small' | 'normal' | 'large' | undefined
  tone?: 'paper' | 'lamp' | undefined
}) {
  const { initials, face, size = 'normal', tone = 'paper' } = props
  const sizes = { small: 'size-9 text-sm', normal: 'size-12 text-base', large: 'size-16 text-xl' }
  const tones = { paper: 'bg-quiet-soft text-base-content', lamp: 'bg-primary text-primary-content' }
  return (
    <span
      aria-hidden="true"
      className={`relative grid shrink-0 overflow-hidden place-items-center rounded-full font-semibold tracking-wide uppercase ${sizes[size]} ${tones[tone]}`}
    >
      {initials}
      {face && (
        <img
          src={face}
          alt=""
          width={320}
          height={320}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  )
}
