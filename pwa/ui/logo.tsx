/** The mark: a lighthouse with its lamp on. Decoration: the name stands beside it. */
export function Logo({ className = 'size-8' }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 64 64" className={`shrink-0 ${className}`} aria-hidden="true">
      <path d="M17.500 20h14v9h-14Z" fill="var(--color-primary)" />
      <path d="M36 19.500 63 9v31L36 29.500Z" fill="var(--color-primary)" />
      <path
        d="M12.500 17.500a12 12 0 0 1 24 0ZM9.500 31.500h30v6h-4.500L39.500 60h-30L14 37.500H9.500Z"
        fill="currentColor"
      />
    </svg>
  )
}
