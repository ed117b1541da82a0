import { useState } from 'react'
import type { FailedJob } from '#shared/admin/admin-calls.ts'
import { call } from '../sync/index.ts'
import { Button } from '../ui/button.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { formatMoment } from '../ui/page/local-time.ts'
import { useNow } from '../ui/page/use-now.ts'

type Act = (word: 'Retry' | 'Discard', job: FailedJob) => void

const columnsOf = (now: Date, isRunning: boolean, act: Act): readonly Column<FailedJob>[] => [
  { key: 'kind', header: 'Job', width: 'shrink', rowHeader: true, cell: ({ kind }) => kind },
  { key: 'about', header: 'About', width: 'shrink', cell: ({ about }) => about || '—' },
  { key: 'reason', header: 'Reason', cell: ({ lastError }) => lastError ?? '—' },
  { key: 'attempts', header: 'Attempts', width: 'shrink', align: 'end', cell: ({ attempts }) => attempts },
  { key: 'failed', header: 'Failed', width: 'shrink', cell: ({ failedAt }) => formatMoment(failedAt, now) },
  {
    key: 'actions',
    header: 'Actions',
    width: 'shrink',
    cell: (job) =>
      (['Retry', 'Discard'] as const).map((word) => (
        <Button
          key={word}
          variant="ghost"
          size="small"
          aria-label={`${word}: ${job.kind} ${job.id}`}
          disabled={isRunning}
          onClick={() => act(word, job)}
        >
          {word}
        </Button>
      )),
  },
]

export function FailedJobs({ jobs, onChanged }: { jobs: readonly FailedJob[]; onChanged: () => Promise<void> }) {
  const [discarding, setDiscarding] = useState<FailedJob | null>(null)
  const [isRunning, run] = useAction('That did not work')
  const now = useNow()
  const send = (name: 'retryJob' | 'discardJob', { id }: FailedJob) =>
    void run(async () => {
      await call(name, { params: { id } })
      await onChanged()
    })
  if (jobs.length === 0) return <EmptyState illustration="clear" title="No failed jobs" />
  const columns = columnsOf(now, isRunning, (word, job) =>
    word === 'Retry' ? send('retryJob', job) : setDiscarding(job),
  )
  return (
    <>
      <DataTable caption="The newest failed jobs" columns={columns} rows={jobs} rowKey={({ id }) => id} />
      <ConfirmDialog
        open={discarding !== null}
        onClose={() => setDiscarding(null)}
        onConfirm={() => {
          if (discarding) send('discardJob', discarding)
          setDiscarding(null)
        }}
        title="Discard this job?"
        confirmLabel="Discard"
      >
        The job will not run. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
