import type { ComponentProps, ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

/** Says on a page of its own what a mailed link has led to. */
export function LinkOutcome({ below, ...state }: ComponentProps<typeof EmptyState> & { below?: ReactNode }) {
  return (
    <Page width="narrow">
      <div className="flex flex-col gap-5">
        <Card className="shadow-lift">
          <EmptyState level={1} {...state} />
        </Card>
        {below}
      </div>
    </Page>
  )
}

export const deadLink = { illustration: 'lost', title: 'This link does not work' } as const
