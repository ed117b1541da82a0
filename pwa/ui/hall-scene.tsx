const floorY = 220

/** `x` is 0..1200. */
const people: readonly { x: number; size: number; beacon?: true }[] = [
  { x: 40, size: 1 },
  { x: 112, size: 0.9 },
  { x: 216, size: 1.04 },
  { x: 290, size: 0.94, beacon: true },
  { x: 362, size: 1 },
  { x: 486, size: 0.92 },
  { x: 548, size: 1.06 },
  { x: 622, size: 0.96, beacon: true },
  { x: 694, size: 1.02 },
  { x: 812, size: 0.9 },
  { x: 892, size: 1 },
  { x: 962, size: 0.98, beacon: true },
  { x: 1030, size: 1.05 },
  { x: 1124, size: 0.93 },
  { x: 1186, size: 1 },
]

/** Decoration on ink; its middle stays in sight on a narrow phone. Wide, it is as high as it has to be to show the lamps. */
export function HallScene({ className = '' }: { className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 1200 240"
      preserveAspectRatio="xMidYMax slice"
      className={`pointer-events-none block w-full overflow-hidden xl:aspect-5/1 xl:h-auto ${className}`}
      aria-hidden="true"
    >
      {people
        .filter(({ beacon }) => beacon)
        .map(({ x }) => (
          <g key={x}>
            <path
              d={`M${x - 12} 34 L${x - 132} ${floorY} H${x + 132} L${x + 12} 34Z`}
              fill="var(--ui-hall-signal)"
              opacity="0.13"
            />
            <path d={`M${x} 0V20`} stroke="var(--ui-hall-muted)" strokeWidth="2" opacity="0.6" />
            <path d={`M${x - 18} 36a18 18 0 0 1 36 0Z`} fill="var(--ui-hall-muted)" />
            <path d={`M${x - 9} 38a9 8 0 0 0 18 0Z`} fill="var(--ui-hall-signal)" />
          </g>
        ))}
      {people.map(({ x, size, beacon }) => (
        <g
          key={x}
          transform={`translate(${x} ${floorY}) scale(${size})`}
          fill={beacon ? 'var(--ui-hall-signal)' : 'var(--ui-hall-raised)'}
          stroke="var(--ui-hall)"
          strokeWidth="3"
        >
          <circle cy="-108" r="20" />
          <path d="M-33 0v-46a33 34 0 0 1 66 0V0Z" />
          {beacon && (
            <>
              <path d="M-15 -76 0 -44 15 -76" fill="none" />
              <rect x="-8" y="-44" width="16" height="19" rx="3" fill="var(--ui-hall)" stroke="none" />
            </>
          )}
        </g>
      ))}
      <path d={`M0 ${floorY}H1200`} stroke="var(--ui-hall-muted)" strokeWidth="2" opacity="0.5" />
    </svg>
  )
}
