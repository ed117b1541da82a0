/** What a field of a change's arguments must be for the change to be read; with `?` it may be missing. */
type FieldKind = 'number' | 'string' | 'boolean' | 'object'
export type ArgsShape = Readonly<Record<string, FieldKind | `${FieldKind}?`>>

/**
 * Whether arguments, as they lie on the disk, have what a change reads of them. A disk that failed in the middle of a write, or
 * a hand in the browser's tools, leaves pieces. The server checks the content; this only keeps the app from falling over it.
 */
export function hasShape(args: unknown, shape: ArgsShape): boolean {
  if (typeof args !== 'object' || args === null) return false
  return Object.entries(shape).every(([name, kind]) => {
    const value = (args as Record<string, unknown>)[name]
    if (value === undefined) return kind.endsWith('?')
    const wanted = kind.replace('?', '')
    return typeof value === wanted && value !== null && !(typeof value === 'number' && !Number.isFinite(value))
  })
}
