import { ShieldAlert } from 'lucide-react'
import type { PublicField } from '#shared/applications/public-fields.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { formatClock, formatDay } from '../../page/local-time.ts'
import { dash } from './applicant.ts'
import type { MarkActions } from './use-marks.ts'

const labels: Record<PublicField, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  jobTitle: 'Job title',
  company: 'Company',
  bio: 'Bio',
  linkedinUrl: 'LinkedIn profile',
}

/** In a list: an approved Beacon has changed what guests read, and the organizer has not agreed yet. */
export function ChangedMark({ row }: { row: ApplicationRow }) {
  if (!row.application.publicChanges) return null
  return (
    <span className="flex items-center gap-1.5 text-sm font-medium text-signal">
      <ShieldAlert aria-hidden="true" className="size-4 shrink-0" />
      Changed after approval
    </span>
  )
}

/** What an approved Beacon changed of what guests read: as it was approved, and as it stands on the page now. */
export function PublicChanges({ row, actions }: { row: ApplicationRow; actions: MarkActions }) {
  const { publicChanges } = row.application
  if (!publicChanges) return null
  const { at, changes } = publicChanges
  return (
    <Alert
      variant="signal"
      title="Changed after your approval"
      action={
        <Button variant="secondary" size="small" onClick={() => actions.onChangesSeen(row, at)}>
          Agree to the Changes
        </Button>
      }
    >
      <p>
        Guests read this since {formatDay(at)}, {formatClock(at)}. Revoke the approval if it should not stand there.
      </p>
      <dl className="mt-2 flex flex-col gap-3">
        {changes.map(({ field, was }) => (
          <div key={field}>
            <dt className="text-sm font-medium">{labels[field]}</dt>
            <dd className="text-sm break-words whitespace-pre-line">
              {was === null ? (
                <span className="block opacity-80">It was empty.</span>
              ) : (
                <del className="block opacity-80">
                  <span className="sr-only">You approved: </span>
                  {was}
                </del>
              )}
              <ins className="block no-underline">
                <span className="sr-only">Now: </span>
                {row.application[field] || dash}
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </Alert>
  )
}
