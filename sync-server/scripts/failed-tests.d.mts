export function failedInVitest(report: unknown, root: string): string[]
export function failedInPlaywright(report: unknown): string[]
