import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'

export function NotFoundScreen() {
  usePageTitle('404 Page Not Found')
  return (
    <EmptyState
      illustration="lost"
      level={1}
      title="404 Page Not Found"
      action={
        <>
          <ButtonLink to="/events">Browse Events</ButtonLink>
          <ButtonLink to="/" variant="secondary">
            Home
          </ButtonLink>
        </>
      }
    >
      There is nothing at this address. The link may be old or mistyped.
    </EmptyState>
  )
}
