import type { ReactNode } from 'react'
import type { questions } from '../sync/index.ts'
import { TryAgain } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/loading.tsx'

export type Asked<T> = Pick<questions.Answered<T>, 'answer' | 'failure' | 'ask'>

export function QueryResult<T>(props: {
  asked: Asked<T>
  what: string
  why?: string
  level: 2 | 3
  children: (answer: T) => ReactNode
}) {
  const { asked, what, why = 'It will show here automatically when our server answers.', level, children } = props
  const { answer, failure, ask } = asked
  if (answer !== null) return <>{children(answer)}</>
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
        action={<TryAgain onClick={() => void ask()} />}
      >
        {failure.kind === 'failed' ? failure.reason : why}
      </EmptyState>
    </Card>
  )
}
