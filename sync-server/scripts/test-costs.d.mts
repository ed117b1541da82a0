export function dearestFiles(vitest: unknown, journeys: unknown, root: string): string[]
export function tooDear(vitest: unknown, journeys: unknown, root: string): string[]
