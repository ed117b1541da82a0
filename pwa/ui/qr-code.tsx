import { encodeQR } from 'qr'

/** Scanners need an empty border (ISO 18004). */
const quiet = 4

/** True is dark; includes the border. Medium error correction: a poster gets creased. */
export const qrSquares = (text: string): boolean[][] => encodeQR(text, 'raw', { ecc: 'medium', border: quiet })

export function QrCode({ text, label, className = '' }: { text: string; label: string; className?: string }) {
  const rows = qrSquares(text)
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
