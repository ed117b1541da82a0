import { useDeferredValue, useMemo } from 'react'
import { type Cover, coverColors, coverHeight, coverOf, coverWidth } from '#shared/events/cover.ts'
import type { CoverPalette } from '#shared/events/cover-palettes.ts'
import { paths } from '../paths.ts'

/** It is decoration, drawn after the words and in sight only; the scene also replaces a missing picture. */
export function EventCover(props: {
  event: {
    readonly id: number
    readonly coverPalette?: string | null | undefined
    readonly coverHash?: string | undefined
  }
  /** The class gives at least its proportions. */
  className: string
}) {
  const { id, coverPalette, coverHash } = props.event
  const isAfterTheWords = useDeferredValue(true, false)
  const cover = useMemo(() => (isAfterTheWords ? coverOf(id, coverPalette) : null), [isAfterTheWords, id, coverPalette])
  return (
    <div
      aria-hidden="true"
      data-cover={cover?.palette}
      style={{ backgroundColor: cover?.colors.sky }}
      className={`no-print relative overflow-hidden bg-base-200 [content-visibility:auto] ${props.className}`}
    >
      {cover && <Scene cover={cover} />}
      {coverHash !== undefined && (
        <img
          src={coverHash.startsWith('data:') ? coverHash : paths.coverPicture(id, coverHash)}
          alt=""
          width={1200}
          height={600}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </div>
  )
}

function Scene({ cover: { shapes, colors, isMirrored } }: { cover: Cover }) {
  return (
    <svg
      viewBox={`0 0 ${coverWidth} ${coverHeight}`}
      preserveAspectRatio="xMidYMid slice"
      className={`block size-full ${isMirrored ? '-scale-x-100' : ''}`}
    >
      {shapes.map(({ ink, d, opacity }) => (
        <path key={d} d={d} fill={colors[ink]} opacity={opacity} />
      ))}
    </svg>
  )
}

export function PaletteSwatch({ palette }: { palette: CoverPalette | null }) {
  if (palette === null) {
    return (
      <svg viewBox="0 0 80 44" preserveAspectRatio="xMidYMid slice" className="block size-full" aria-hidden="true">
        {(['Ember', 'Dusk', 'Harbor', 'Moss'] as const).map((name, index) => (
          <path key={name} d={`M${index * 20} 0h20v44h-20z`} fill={coverColors[name].sky} />
        ))}
        <circle cx="40" cy="22" r="8" fill={coverColors.Lamplight.lamp} />
      </svg>
    )
  }
  const { sky, far, near, lamp } = coverColors[palette]
  return (
    <svg viewBox="0 0 80 44" preserveAspectRatio="xMidYMid slice" className="block size-full" aria-hidden="true">
      <path d="M0 0h80v44H0z" fill={sky} />
      <path d="M0 26q20-8 40 0t40-2v20H0z" fill={far} />
      <path d="M36 14 22 44h36L44 14z" fill={lamp} opacity="0.3" />
      <path d="M0 38h80v6H0zM39 0h2v6h-2zM29 15a11 10 0 0 1 22 0z" fill={near} />
      <path d="M34 15a6 6 0 0 0 12 0z" fill={lamp} />
    </svg>
  )
}
