import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { StrandedJob, StrandedJobs } from '#shared/admin/admin-calls.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Section } from '../ui/page.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { useNow } from '../ui/page/use-now.ts'
import { aboutWords, errorWords, jobWords, standingWords } from './operation-words.ts'
import type { Operation } from './admin-answers.ts'

const icon = 'size-4'

type Question = { readonly ask: 'retry-all' | 'discard'; readonly job: StrandedJob }

export function FailedJobs({ found, operation }: { found: StrandedJobs; operation: Operation }) {
  const [question, setQuestion] = useState<Question | null>(null)
  const kinds = [...new Set(found.jobs.map(({ kind }) => kind))]
  if (kinds.length === 0) {
    return (
      <Card>
        <EmptyState illustration="clear" title="Nothing has failed for good">
          E-mails and alerts that do not get through are tried again by themselves. What is given up shows here.
        </EmptyState>
      </Card>
    )
  }
  const asked = question && found.counts.find(({ kind }) => kind === question.job.kind)
  return (
    <>
      {kinds.map((kind) => (
        <Kind
          key={kind}
          jobs={found.jobs.filter((job) => job.kind === kind)}
          dead={found.counts.find((count) => count.kind === kind)?.dead ?? 0}
          operation={operation}
          onAsk={setQuestion}
        />
      ))}
      <ConfirmDialog
        open={question?.ask === 'retry-all'}
        onClose={() => setQuestion(null)}
        onConfirm={() => {
          if (question) operation.retry(question.job, 'kind')
          setQuestion(null)
        }}
        title={`Run ${asked?.dead ?? 0} jobs again?`}
        confirmLabel="Retry All"
        variant="primary"
      >
        {question && `“${jobWords(question.job.kind)}”, each with all its tries. What they send goes out right away.`}
      </ConfirmDialog>
      <ConfirmDialog
        open={question?.ask === 'discard'}
        onClose={() => setQuestion(null)}
        onConfirm={() => {
          if (question) operation.discard(question.job)
          setQuestion(null)
        }}
        title="Discard this job?"
        confirmLabel="Discard"
      >
        {question &&
          `“${jobWords(question.job.kind)}” (${aboutWords(question.job)}) will not be done. This cannot be undone.`}
      </ConfirmDialog>
    </>
  )
}

function Kind(props: {
  jobs: readonly StrandedJob[]
  dead: number
  operation: Operation
  onAsk: (question: Question) => void
}) {
  const { jobs, dead, operation, onAsk } = props
  const now = useNow()
  const [first] = jobs
  if (!first) return null
  const firstDead = jobs.find(({ standing }) => standing === 'dead')
  const words = jobWords(first.kind)
  return (
    <Section
      id={`jobs-${first.kind}`}
      title={words}
      aside={
        dead > 1 &&
        firstDead && (
          <Button
            variant="secondary"
            icon={<RotateCcw className={icon} />}
            pending={operation.doing === `retry ${first.kind}`}
            pendingText="Retrying..."
            aria-label={`Retry all ${dead}: ${words}`}
            onClick={() => onAsk({ ask: 'retry-all', job: firstDead })}
          >
            Retry All {dead}
          </Button>
        )
      }
    >
      <Card padding="none">
        <ul aria-label={words}>
          {jobs.map((job) => (
            <li
              key={job.id}
              data-job={job.id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-base-300 p-4 last:border-0 sm:px-6"
            >
              <div className="min-w-0 flex-[1_1_18rem]">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <span className="font-medium">{aboutWords(job)}</span>
                  {job.standing === 'overdue' && <Badge tone="signal">Waiting</Badge>}
                </p>
                <p className="break-words">{errorWords(job)}</p>
                <p className="text-sm text-muted">
                  {standingWords(job)} {formatMoment(job.since, now)}
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                {job.standing === 'dead' && (
                  <Button
                    variant="secondary"
                    icon={<RotateCcw className={icon} />}
                    pending={operation.doing === `retry ${job.id}`}
                    pendingText="Retrying..."
                    aria-label={`Retry: ${words}, ${aboutWords(job)}`}
                    onClick={() => operation.retry(job, 'job')}
                  >
                    Retry
                  </Button>
                )}
                <Button
                  variant="danger-quiet"
                  icon={<Trash2 className={icon} />}
                  pending={operation.doing === `discard ${job.id}`}
                  pendingText="Discarding..."
                  aria-label={`Discard: ${words}, ${aboutWords(job)}`}
                  onClick={() => onAsk({ ask: 'discard', job })}
                >
                  Discard
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
