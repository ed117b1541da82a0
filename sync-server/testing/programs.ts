import path from 'node:path'
import { inject } from 'vitest'
import type { programs } from './global-setup.ts'

/** The file of a program that tests start, bundled for this run of them. */
export function programFile(name: keyof typeof programs): string {
  return path.join(inject('programsFolder'), `${name}.mjs`)
}
