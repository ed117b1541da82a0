import { decodeQR } from 'qr/decode.js'
import { expect, it } from 'vitest'
import { qrSquares } from './qr-code.tsx'

it('a QR code is read as the address it was drawn for', () => {
  const address = 'https://beaconry.example/events/410100000001/apply'
  const squares = qrSquares(address)
  const scale = 4
  const size = squares.length * scale
  const data = Uint8Array.from({ length: size * size * 4 }, (_, index) => {
    const pixel = Math.floor(index / 4)
    const isDark = squares[Math.floor(pixel / size / scale)]?.[Math.floor((pixel % size) / scale)]
    return index % 4 === 3 || !isDark ? 255 : 0
  })
  expect(decodeQR({ width: size, height: size, data })).toBe(address)
  expect(squares.slice(0, 4).flat(), 'the border is light').not.toContain(true)
})
