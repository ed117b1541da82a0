import { Glyph } from '../../ui/status-badge.tsx'
import type { Tone } from './ready-lines.ts'

const looks = {
  green: { of: 'approved', color: 'text-success', word: 'Good' },
  amber: { of: 'needs-attention', color: 'text-signal', word: 'Look at this' },
  red: { of: 'rejected', color: 'text-error', word: 'Fix this' },
  unknown: { of: 'pending', color: 'text-muted', word: 'Not checked' },
} as const

/** Each tone has its own shape and, for a screen reader, its own word. */
export function ToneGlyph({ tone, className = '' }: { tone: Tone | 'unknown'; className?: string }) {
  const { of, color, word } = looks[tone]
  return (
    <>
      <Glyph of={of} className={`${color} ${className}`} />
      <span className="sr-only">{word}: </span>
    </>
  )
}
