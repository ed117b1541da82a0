import type { ApplicationRow } from '../../replica/view/rows.ts'
import { Button } from '../../ui/button.tsx'
import { fullName } from './applicant.ts'

/** Opens everything an applicant said; the dialog gives the focus back to it. */
export function ViewButton({ row, onView }: { row: ApplicationRow; onView: (row: ApplicationRow) => void }) {
  return (
    <Button
      variant="ghost"
      size="small"
      data-view={row.application.id}
      aria-label={`View ${fullName(row.application)}`}
      onClick={() => onView(row)}
    >
      View
    </Button>
  )
}
