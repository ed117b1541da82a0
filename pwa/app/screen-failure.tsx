import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** A screen that could not be loaded or drawn: says what is safe and offers the one thing that helps. */
export function ScreenFailure({ error }: { error: unknown }) {
  const couldNotLoad = error instanceof Error && /import|module|fetch/i.test(error.message)
  return (
    <EmptyState
      illustration="lost"
      level={1}
      title={couldNotLoad ? 'This page is not on this device yet' : 'Something went wrong on this page'}
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      {couldNotLoad ? 'It is loaded when there is a network.' : 'It is our fault, not yours.'} Everything you saved on
      this device is still here.
    </EmptyState>
  )
}
