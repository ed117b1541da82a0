import type { ReactNode } from 'react'

export type BadgeTone = 'quiet' | 'signal' | 'success' | 'info' | 'error' | 'strong'

const tones: Record<BadgeTone, string> = {
  quiet: 'bg-quiet-soft text-muted',
  signal: 'bg-signal-soft text-signal',
  success: 'bg-success-soft text-success',
  info: 'bg-info-soft text-info',
  error: 'bg-error-soft text-error',
  strong: 'bg-primary text-primary-content',
}

/** Colour supports the word, never replaces it. */
export function Badge(props: { tone?: BadgeTone | undefined; icon?: ReactNode; children: ReactNode }) {
  const { tone = 'quiet', icon, children } = props
  return (
    <span
      className={`badge h-auto min-h-7 max-w-full gap-1.5 rounded-full border-transparent px-2.5 py-0.5 text-sm font-medium whitespace-normal tabular-nums ${tones[tone]}`}
    >
      {icon}
      {children}
    </span>
  )
}

export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="kbd min-h-7 min-w-7 border-edge font-sans text-sm">{children}</kbd>
}
