import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

export function AccessDenied() {
  return (
    <Page width="narrow">
      <EmptyState
        illustration="lost"
        title="Access Denied"
        level={1}
        action={<ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>}
      >
        This page is for admins of Beaconry.
      </EmptyState>
    </Page>
  )
}
