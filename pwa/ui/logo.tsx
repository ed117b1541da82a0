/** The mark: a lamp on its tower, throwing light to both sides. Decoration: the name stands beside it. */
export function Logo({className = 'size-8'}: {className?: string}) {
  return (
    <svg viewBox="0 0 64 64" className={`shrink-0 ${className}`} aria-hidden="true">
      <path d="M23 21 4 11v24l19-9Zm18 0 19-10v24l-19-9Z" fill="var(--color-primary)" opacity="0.38" />
      <circle cx="32" cy="23.5" r="10" fill="var(--color-primary)" />
      <path d="M26 38h12l4.5 20h-21Z" fill="currentColor" />
    </svg>
  );
}
