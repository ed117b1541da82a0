import { RotateCcw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { describeEntry } from '../sync/index.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Glyph } from '../ui/status-badge.tsx'
import { goneReasonOf } from './change-content.ts'
import type { Refused } from './group-refused.ts'
import { repairs } from './repairs.ts'

/** Shows changes of one event that were refused for the same reason; `children` are their own cards. */
export function ParkedGroup({ group, children }: { group: readonly Refused[]; children: ReactNode }) {
  const [first] = group
  if (!first) return null
  const entries = group.flatMap(({ item, behind }) => [item, ...behind]).map(({ entry }) => entry)
  const names = group.slice(0, 3).map(({ item }) => describeEntry(item.entry).labelAsMade)
  return (
    <Card as="li">
      <h2 className="flex items-start gap-2.5 text-xl">
        <Glyph of="needs-attention" className="mt-2 text-error" />
        <span>{`${entries.length} changes to one event`}</span>
      </h2>
      <p className="mt-3">{goneReasonOf(first.item.entry) ?? first.item.reason}</p>
      <p className="mt-2 text-sm text-muted">{`${names.join(', ')} and ${group.length - names.length} more.`}</p>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button
          variant="secondary"
          icon={<RotateCcw className="size-4" />}
          onClick={() => repairs.retryAll(group.map(({ item }) => item.entry))}
        >
          Retry All
        </Button>
        <Button variant="danger-quiet" icon={<Trash2 className="size-4" />} onClick={() => repairs.discardAll(entries)}>
          Discard All of This Event
        </Button>
      </div>
      <details className="mt-3">
        <summary className="flex min-h-11 cursor-pointer items-center font-medium underline underline-offset-4">
          Show each change
        </summary>
        <ul className="mt-2 flex flex-col gap-4">{children}</ul>
      </details>
    </Card>
  )
}
