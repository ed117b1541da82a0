interface Verdict {
  readonly passed: number
  readonly failed: readonly string[]
  readonly passedOnlyAlone: readonly string[]
}
export function verdictOfVitest(report: object | undefined, again: object | undefined, root: string): Verdict
export function verdictOfPlaywright(report: object | undefined, again: object | undefined): Verdict
