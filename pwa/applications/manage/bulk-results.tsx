import type { ApplicationRow } from '../../replica/view/rows.ts'
import { markOf } from '../../outbox/entry.ts'
import { Button, ButtonLink, ButtonRow } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { StatusMark, SyncMark } from '../../ui/status-mark.tsx'
import { paths } from '../../paths.ts'
import { decisionEntry, fullName, isUndoable, shownStatus } from './applicant.ts'
import type { Batch } from './decision-undo.tsx'

/** What became of one decision about many, a line for each person, as it goes on its way. */
export function BulkResults({
  batch,
  byId,
  onUndo,
  onClose,
}: {
  batch: Batch
  byId: ReadonlyMap<number, ApplicationRow>
  onUndo: (rows: readonly ApplicationRow[]) => void
  onClose: () => void
}) {
  const rows = batch.ids.flatMap((id) => byId.get(id) ?? [])
  const undoable = rows.filter((row) => isUndoable(row) && batch.seqs.includes(decisionEntry(row)?.seq ?? -1))
  const count = rows.filter(({ application }) => application.status === batch.to).length
  const word = batch.to === 'approved' ? 'Approved' : 'Rejected'
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title={`${word} ${count === 1 ? '1 person' : `${count} people`}`}
      footer={
        <ButtonRow>
          {undoable.length > 0 && (
            <Button variant="secondary" onClick={() => onUndo(undoable)}>
              Undo {undoable.length > 1 ? 'All' : ''}
            </Button>
          )}
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </ButtonRow>
      }
    >
      <ul aria-label="Results" className="-my-3 divide-y divide-base-300">
        {rows.map((row) => (
          <Result key={row.application.id} row={row} batch={batch} />
        ))}
      </ul>
    </Dialog>
  )
}

function Result({ row, batch }: { row: ApplicationRow; batch: Batch }) {
  const { application } = row
  const entry = decisionEntry(row)
  const mine = entry && batch.seqs.includes(entry.seq) ? entry : null
  const refused = mine?.state === 'parked' ? mine.refusal?.problem.message : undefined
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="min-w-40 flex-1 font-medium">{fullName(application)}</span>
      {mine ? (
        <SyncMark state={markOf(mine)} detail={refused} />
      ) : application.status === batch.to ? (
        <SyncMark state="confirmed" />
      ) : (
        <>
          <span className="text-sm text-muted">taken back</span>
          <StatusMark status={shownStatus(application)} />
        </>
      )}
      {refused && (
        <ButtonLink to={paths.sync} variant="danger-quiet" size="small">
          See why
        </ButtonLink>
      )}
    </li>
  )
}
