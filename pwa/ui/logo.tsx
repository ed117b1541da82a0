/** The mark: a lamp in its lantern, throwing light to both sides. Decoration: the name stands beside it. */
export function Logo({ className = 'size-8' }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 64 64" className={`shrink-0 ${className}`} aria-hidden="true">
      <path d="M18 22 1 12v27l17-9Zm28 0 17-10v27l-17-9Z" fill="var(--color-primary)" opacity="0.55" />
      <circle cx="32" cy="26" r="12" fill="var(--color-primary)" />
      <path d="M24 8a8 6 0 0 1 16 0v2H24ZM21 42h22l5 18H16Z" fill="currentColor" />
    </svg>
  )
}
