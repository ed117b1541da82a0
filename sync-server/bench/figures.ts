/** One line of the table: what was measured, beside its floor and its target. */
export interface Figure {
  readonly name: string
  /** As measured, in words: `210 ms`. */
  readonly seen: string
  /** The raw floor of the same run, in words; empty where there is none. */
  readonly floor: string
  /** How the two compare, in words. */
  readonly ratio: string
  readonly target: string
  readonly isReached: boolean
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value that 95 of 100 do not exceed. */
export function p95(values: readonly number[]): number {
  return quantile(values, 0.95)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))]
  if (value === undefined) throw new Error('Nothing was measured')
  return value
}

/** Milliseconds in words: one digit after the point below ten. */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
}

/** A figure that shall be at most `limit` times its floor. */
export function timesTheFloor(
  name: string,
  seenMs: readonly number[],
  floorMs: readonly number[],
  limit: number,
): Figure {
  const ratio = median(seenMs) / median(floorMs)
  return {
    name,
    seen: ms(median(seenMs)),
    floor: ms(median(floorMs)),
    ratio: `${ratio.toFixed(2)}×`,
    target: `≤ ${limit.toFixed(1)}× the floor`,
    isReached: ratio <= limit,
  }
}

/** A figure that shall be at most so many milliseconds. */
export function atMost(name: string, seenMs: number, limitMs: number, floorMs?: number): Figure {
  return {
    name,
    seen: ms(seenMs),
    floor: floorMs === undefined ? '' : ms(floorMs),
    ratio: floorMs === undefined ? '' : `${(seenMs / floorMs).toFixed(2)}×`,
    target: `≤ ${limitMs} ms`,
    isReached: seenMs <= limitMs,
  }
}

/** The figures as a table for a terminal, which is a Markdown table too. */
export function table(figures: readonly Figure[]): string {
  const head = ['figure', 'target', 'seen', 'floor', 'ratio', '']
  const rows = figures.map(({ name, target, seen, floor, ratio, isReached }) => [
    name,
    target,
    seen,
    floor,
    ratio,
    isReached ? 'reached' : 'not reached',
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
