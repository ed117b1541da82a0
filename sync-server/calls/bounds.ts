import { ProblemError } from './problems.ts'

/** A batch of applications with answers is six levels deep. */
const deepest = 16
const mostFields = 100
/** As many as a batch has changes. */
const mostElements = 500
const longestName = 100

/**
 * Throws `invalid_input` for parsed JSON that is deeper or wider than anything the contract has. To be asked before
 * anything that calls itself for what is inside a value, or says something of each field: text of 64 kB can be nested
 * 30,000 times. Itself it keeps a list instead of calling itself.
 */
export function checkBounds(value: unknown): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = []
    for (const outer of level) {
      if (typeof outer !== 'object' || outer === null) continue
      if (depth >= deepest) throw outOfBounds('is nested too deeply')
      for (const inner of Array.isArray(outer) ? elementsOf(outer) : fieldsOf(outer)) next.push(inner)
    }
    level = next
  }
}

function elementsOf(list: readonly unknown[]): readonly unknown[] {
  if (list.length > mostElements) throw outOfBounds(`holds a list of more than ${mostElements}`)
  return list
}

function fieldsOf(outer: object): readonly unknown[] {
  const names = Object.keys(outer)
  if (names.length > mostFields) throw outOfBounds(`holds more than ${mostFields} fields in one place`)
  if (names.some((name) => name.length > longestName)) throw outOfBounds('holds a field with too long a name')
  return Object.values(outer)
}

function outOfBounds(what: string): ProblemError {
  return new ProblemError('invalid_input', `The request ${what}.`)
}
