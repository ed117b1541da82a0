import type { ReactNode } from 'react'
import type { Failure } from '../api/question.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** A list that only the server has: the list, its shape while it is on its way, or why it is not here. */
export function KnownOrWhy<T>({
  value,
  failure,
  what,
  why,
  level,
  onReload,
  children,
}: {
  value: T | null
  failure: Failure | null
  /** As in 'The list of accounts'. */
  what: string
  why: string
  /** One below the heading it stands under. */
  level: 2 | 3
  onReload: () => void
  children: (value: T) => ReactNode
}) {
  if (value !== null) return children(value)
  if (failure === null) {
    return (
      <Card padding="none">
        <Skeleton shape="row" count={5} label={`Loading ${what.charAt(0).toLowerCase()}${what.slice(1)}`} />
      </Card>
    )
  }
  return (
    <Card>
      <EmptyState
        illustration="offline"
        title={failure.kind === 'unreachable' ? `${what} needs a connection` : `${what} could not be loaded`}
        level={level}
        action={
          <Button variant="secondary" onClick={onReload}>
            Try Again
          </Button>
        }
      >
        {why}
      </EmptyState>
    </Card>
  )
}
