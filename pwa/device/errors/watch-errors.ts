import { readText } from '../../browser/browser-storage.ts'
import { keptErrors } from './kept-errors.ts'

/** The reporter loads with the first error: a visit without one carries nothing of it. */
const note = (thrown?: unknown): Promise<void> =>
  import('./error-reporter.ts').then(
    ({ noteError }) => noteError(thrown),
    () => undefined,
  )

export function watchErrors(): void {
  addEventListener('error', ({ error }) => void note(error))
  addEventListener('unhandledrejection', ({ reason }) => void note(reason))
  if (readText(keptErrors) !== null) void note()
}
