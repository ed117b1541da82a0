import type { ApplicationRow } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DetailsBody, DetailsDecision, DetailsHead, type ViewedProps } from './application-details.tsx'
import { decisionWord, fullName, workLine } from './shown-applicant.ts'

/** @param undoable the decision made here before, whose bar this dialog hides */
export function ApplicationDialog({ undoable, ...viewed }: ViewedProps & { undoable: ApplicationRow | null }) {
  const { row, actions, onClose } = viewed
  return (
    <Dialog
      open
      onClose={onClose}
      title={fullName(row.application)}
      description={workLine(row.application) ?? undefined}
      footer={
        <>
          {undoable && (
            <p className="mb-2 flex items-center justify-between gap-3 text-sm text-muted">
              {decisionWord(undoable.application.status)} {fullName(undoable.application)}
              <Button variant="ghost" size="small" onClick={() => actions.onUndo(undoable)}>
                Undo
              </Button>
            </p>
          )}
          <DetailsDecision {...viewed} />
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <DetailsHead {...viewed} />
        <DetailsBody {...viewed} />
      </div>
    </Dialog>
  )
}
