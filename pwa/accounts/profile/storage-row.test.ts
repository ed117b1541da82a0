import { expect, it } from 'vitest'
import { formatBytes } from './storage-row.tsx'

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [819_200, '820 kB'],
  [1_000_000, '1.0 MB'],
  [3_449_000, '3.4 MB'],
  [12_800_000, '13 MB'],
])('says %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
