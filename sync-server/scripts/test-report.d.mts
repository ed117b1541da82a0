export function tooDear(vitest: unknown, journeys: unknown, root: string): string[]
