/** A QR code writes each of these characters in five and a half bits (RFC 9285). */
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'

export function toBase45(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 2) {
    const [first = 0, second] = bytes.subarray(at, at + 2)
    let rest = second === undefined ? first : first * 256 + second
    for (let digits = second === undefined ? 2 : 3; digits > 0; digits -= 1) {
      text += letters[rest % 45]
      rest = Math.floor(rest / 45)
    }
  }
  return text
}

/** It answers undefined for a text that no bytes are written as. */
export function fromBase45(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 3) {
    const digits = Array.from(text.slice(at, at + 3), (letter) => letters.indexOf(letter))
    if (digits.includes(-1) || digits.length === 1) return undefined
    const value = digits.reduceRight((sum, digit) => sum * 45 + digit, 0)
    if (value >= (digits.length === 3 ? 65_536 : 256)) return undefined
    if (digits.length === 3) bytes.push(value >> 8)
    bytes.push(value & 255)
  }
  return Uint8Array.from(bytes)
}
