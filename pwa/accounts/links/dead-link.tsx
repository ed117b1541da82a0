import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function DeadLink(props: { reason: string; children: ReactNode; action: ReactNode; below?: ReactNode }) {
  const { reason, children, action, below } = props
  return (
    <Page width="narrow">
      <div className="flex flex-col gap-5">
        <Card className="shadow-lift">
          <EmptyState illustration="lost" level={1} title="This link does not work" action={action}>
            {reason} {children}
          </EmptyState>
        </Card>
        {below}
      </div>
    </Page>
  )
}
