import { create } from 'qrcode/lib/core/qrcode.js'

/** The empty border without which a scanner does not find the code (ISO 18004). */
const quiet = 4

/** A text as a QR code, drawn on this device. Medium error correction: a poster gets creased. */
export function QrCode({ text, label, className = '' }: { text: string; label: string; className?: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const { size } = modules
  let path = ''
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (modules.get(row, column)) path += `M${column + quiet} ${row + quiet}h1v1h-1z`
    }
  }
  const whole = size + 2 * quiet
  return (
    <figure className={className}>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${whole} ${whole}`}
        shapeRendering="crispEdges"
        className="w-full bg-white text-black"
      >
        <path d={path} fill="currentColor" />
      </svg>
      <figcaption className="sr-only">{label}</figcaption>
    </figure>
  )
}
