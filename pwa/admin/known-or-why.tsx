import type { ReactNode } from 'react'
import type { Failure } from '../sync/index.ts'
import { TryAgain } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/loading.tsx'

export function KnownOrWhy<T>({
  value,
  failure,
  what,
  why = 'It shows here by itself when our server answers.',
  level,
  onReload,
  children,
}: {
  value: T | null
  failure: Failure | null
  what: string
  why?: string
  /** One below its parent heading. */
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
        action={<TryAgain onClick={onReload} />}
      >
        {failure.kind === 'failed' ? failure.reason : why}
      </EmptyState>
    </Card>
  )
}
