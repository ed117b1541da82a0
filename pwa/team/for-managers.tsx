import { roleNames } from '#shared/contract/roles.ts'
import { actingNow } from '../browser/acting.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

/** Stands in for a page that the role of the signed-in person does not include. */
export function ForManagers() {
  const acting = actingNow()
  return (
    <Page>
      <EmptyState
        illustration="lost"
        level={1}
        title="Only managers change events"
        action={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}
      >
        {acting && `You are helping ${acting.name} as ${roleNames[acting.role]}. They can give you another role.`}
      </EmptyState>
    </Page>
  )
}
