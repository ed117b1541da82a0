import { encodeQR } from 'qr'

/** Scanners need an empty border (ISO 18004). */
const quiet = 4

type Correction = 'low' | 'medium'

/** True stands for a dark square. The border is included. */
export const qrSquares = (text: string, ecc: Correction = 'medium'): boolean[][] =>
  encodeQR(text, 'raw', { ecc, border: quiet })

interface QrCodeProps {
  readonly text: string
  readonly label: string
  readonly className?: string
  /** Paper gets creased and needs `medium`; on a screen larger squares help more. */
  readonly correction?: Correction
}

export function QrCode({ text, label, className = '', correction }: QrCodeProps) {
  const rows = qrSquares(text, correction)
  const path = rows
    .map((squares, y) => squares.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    .join('')
  return (
    <figure className={className}>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        shapeRendering="crispEdges"
        className="w-full bg-white text-black"
      >
        <path d={path} fill="currentColor" />
      </svg>
      <figcaption className="sr-only">{label}</figcaption>
    </figure>
  )
}
