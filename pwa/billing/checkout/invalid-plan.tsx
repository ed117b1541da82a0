import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

/** The address names a plan that is not there. */
export function InvalidPlan() {
  return (
    <Page>
      <EmptyState
        illustration="lost"
        title="Invalid Plan"
        level={1}
        action={<ButtonLink to={paths.pricing}>Back to Pricing</ButtonLink>}
      >
        The plan you selected is not on sale.
      </EmptyState>
    </Page>
  )
}
