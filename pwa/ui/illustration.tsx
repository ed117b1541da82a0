import type { ReactNode } from 'react'

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 3,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const
const light = 'var(--color-primary)'
const beam = 'var(--ui-signal-soft)'
const paper = 'var(--color-base-100)'

/** Each has its floor line at y = 140 of 240 × 160. */
const pictures = {
  hall: (
    <>
      <path d="M120 44 54 140h132Z" fill={beam} />
      <path d="M120 4v22" {...line} />
      <path d="M98 46a22 22 0 0 1 44 0Z" {...line} fill={paper} />
      <path d="M109 49a11 9 0 0 0 22 0Z" fill={light} />
      <path d="M16 140h208M88 140v-24h64v24M82 116h76M40 140v-16h22v16M178 140v-16h22v16" {...line} />
    </>
  ),
  beacons: (
    <>
      <path d="M120 52 74 140h92Z" fill={beam} />
      <circle cx="120" cy="66" r="17" {...line} fill={paper} />
      <path d="M86 140v-14a34 32 0 0 1 68 0v14" {...line} fill={paper} />
      <circle cx="120" cy="114" r="7" fill={light} />
      <path d="M16 140h208M30 140v-9a22 21 0 0 1 40-11M210 140v-9a22 21 0 0 0-40-11" {...line} />
      <circle cx="50" cy="92" r="11" {...line} strokeDasharray="5 6" />
      <circle cx="190" cy="92" r="11" {...line} strokeDasharray="5 6" />
      <path d="M120 14v16M88 24l9 12M152 24l-9 12" {...line} stroke={light} strokeWidth={4} />
    </>
  ),
  inbox: (
    <>
      <path d="M76 78 20 62v66l56-22Z" fill={beam} />
      <path d="M76 112V74a24 24 0 0 1 24-24h64a24 24 0 0 1 24 24v38Z" {...line} fill={paper} />
      <path d="M76 112V74a24 24 0 0 1 48 0v38Z" {...line} fill={light} />
      <path d="M124 112v28M140 112v28M16 140h208M164 82V34h18v14h-18" {...line} />
    </>
  ),
  lost: (
    <>
      <path d="M76 40 232 10v66L76 52Z" fill={beam} />
      <path d="M50 140 56 62h24l6 78Z" {...line} fill={paper} />
      <path d="M54 58h28V38a14 14 0 0 0-28 0ZM48 60h40M53 100h30" {...line} fill={paper} />
      <circle cx="68" cy="46" r="8" fill={light} />
      <path
        d="M16 140h84c10 0 10-8 20-8s10 8 20 8 10-8 20-8 10 8 20 8 10-8 20-8 10 8 20 8M140 112c6 0 6-5 12-5s6 5 12 5 6-5 12-5 6 5 12 5"
        {...line}
      />
    </>
  ),
  offline: (
    <>
      <path d="M96 76 60 140h120l-36-64Z" fill={beam} />
      <rect x="88" y="18" width="64" height="112" rx="12" {...line} fill={paper} />
      <circle cx="120" cy="64" r="14" fill={light} />
      <path d="m112 104 4-16h8l4 16ZM112 30h16" {...line} />
      <path
        d="M62 46c-10 16-10 36 0 52M42 36c-16 22-16 50 0 72M178 46c10 16 10 36 0 52M198 36c16 22 16 50 0 72"
        {...line}
        strokeDasharray="6 8"
      />
      <path d="M16 140h208" {...line} />
    </>
  ),
  sent: (
    <>
      <path d="M54 66 208 14v92L54 78Z" fill={beam} />
      <path d="M36 140 41 88h18l5 52Z" {...line} fill={paper} />
      <circle cx="50" cy="70" r="12" fill={light} />
      <path d="M16 140h208" {...line} />
      <path d="M118 34h84v56h-84Zm0 4 42 30 42-30" {...line} fill={paper} />
    </>
  ),
  clear: (
    <>
      <path d="M106 50 16 22v70l90-30Zm28 0 90-28v70l-90-30Z" fill={beam} />
      <circle cx="120" cy="56" r="26" fill={light} />
      <path d="m109 57 8 8 15-17" {...line} stroke="var(--color-primary-content)" strokeWidth={4} />
      <path d="M102 140 108 92h24l6 48M16 140h208M100 90h40" {...line} fill={paper} />
    </>
  ),
} satisfies Record<string, ReactNode>

export type IllustrationName = keyof typeof pictures

/** It is decoration, because the words next to it say everything. */
export function Illustration(props: { name: IllustrationName; className?: string | undefined }) {
  const { name, className = 'h-36 w-54' } = props
  return (
    <svg viewBox="0 0 240 160" className={`text-base-content ${className}`} aria-hidden="true">
      {pictures[name]}
    </svg>
  )
}
