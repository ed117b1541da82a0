import { Check, RotateCcw } from 'lucide-react'
import type { RefusedChange } from '#shared/admin/admin-calls.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { useNow } from '../ui/page/use-now.ts'
import { mayBeOurs, reasonWords } from './operation-words.ts'
import type { Operation } from './admin-answers.ts'

const icon = 'size-4'

/** The last 30 days; the server never tells the content of a change. */
export function RefusedChanges({ changes, operation }: { changes: readonly RefusedChange[]; operation: Operation }) {
  const now = useNow()
  if (changes.length === 0) {
    return (
      <Card>
        <EmptyState illustration="clear" title="Nothing was refused lately">
          When the server refuses a change that a phone had saved, it is counted here for 30 days, without its contents.
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      <p className="mb-4 text-muted">
        The changes themselves stay on their owners’ phones, under Needs attention. Only the owner can send one again.
      </p>
      <Card padding="none">
        <ul aria-label="Refused changes">
          {changes.map((change) => (
            <Row key={change.id} change={change} operation={operation} now={now} />
          ))}
        </ul>
      </Card>
    </>
  )
}

function Row({ change, operation, now }: { change: RefusedChange; operation: Operation; now: Date }) {
  const { id, what, account, deviceName, times, lastAt, askedAt } = change
  const who = account ? account.username : 'Visitors'
  return (
    <li
      data-refused={id}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-base-300 p-4 last:border-0 sm:px-6"
    >
      <div className="min-w-0 flex-[1_1_18rem]">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{what}</span>
          {mayBeOurs(change) && <Badge tone="error">App and server disagree</Badge>}
        </p>
        <p>{reasonWords(change.code)}</p>
        <p className="text-sm break-words text-muted">
          {[who, deviceName, times === 1 ? 'once' : `${times} times`].filter(Boolean).join(' · ')}, last{' '}
          {formatMoment(lastAt, now)}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {askedAt && <span className="text-sm text-muted">Owner told {formatMoment(askedAt, now)}</span>}
        {account && !askedAt && (
          <Button
            variant="secondary"
            icon={<RotateCcw className={icon} />}
            pending={operation.doing === `ask ${id}`}
            pendingText="Telling..."
            aria-label={`Suggest a retry: ${what}, ${who}`}
            onClick={() => operation.askForAnotherTry(change)}
          >
            Suggest a Retry
          </Button>
        )}
        <Button
          variant="secondary"
          icon={<Check className={icon} />}
          pending={operation.doing === `aside ${id}`}
          pendingText="Putting aside..."
          aria-label={`Put aside: ${what}, ${who}`}
          onClick={() => operation.putAside(change)}
        >
          Put Aside
        </Button>
      </div>
    </li>
  )
}
