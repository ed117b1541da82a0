export function tooDear(
  vitest: object | undefined,
  e2e: object | undefined,
  root: string,
  again?: object,
): { name: string; line: string }[]
