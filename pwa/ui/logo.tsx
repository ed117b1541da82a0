/** It is decoration, because the name is next to it. */
export function Logo({ className = 'size-8' }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 64 64" className={`shrink-0 ${className}`} aria-hidden="true">
      <path d="M16 16.500h15v8H16Z" fill="var(--color-primary)" />
      <path d="M35 16.500 62 6v29L35 24.500Z" fill="var(--color-primary)" />
      <path
        d="M14 14a9.500 9.500 0 0 1 19 0ZM11.500 27h24v4.500H32L33 42H14l1-10.500h-3.500ZM13.500 45h20l1.500 16H12Z"
        fill="currentColor"
      />
    </svg>
  )
}
