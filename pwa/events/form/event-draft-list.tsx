import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { isCalendarDate } from '#shared/record/values.ts'
import { formatDateRange } from '#shared/time/date-range.ts'
import { dropDraft, keepDraft } from '../../device/kept-drafts.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { Tooltip, TooltipProvider } from '../../ui/tooltip.tsx'
import type { EventFormValues } from './event-form-values.ts'
import { renameEventDraft, type SavedEventDraft } from './saved-event-drafts.ts'

/** An event the server refused because no plan allows it: it waits as a draft until there is one. */
export interface EventWithoutPlan {
  readonly seq: number
  readonly name: string
  readonly reason: string
  readonly to: string
}

const momentFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** When and where, as far as it was filled in. */
function factsOf({ startDate, endDate, location }: EventFormValues): string[] {
  const start = isCalendarDate(startDate) ? startDate : null
  const end = isCalendarDate(endDate) && start !== null && endDate >= start ? endDate : start
  return [...(start && end ? [formatDateRange(start, end)] : []), ...(location.trim() ? [location.trim()] : [])]
}

function failed(error: unknown): void {
  toast({ variant: 'destructive', title: 'That did not work', description: saveFailureText(error) })
}

async function remove({ key, title, drafted, savedAt }: SavedEventDraft): Promise<void> {
  await dropDraft(key)
  const putBack = () => void keepDraft({ key, value: drafted, savedAt }).catch(failed)
  toast({ title: 'Draft deleted', description: title, action: { label: 'Undo', onClick: putBack } })
}

/** Unpublished events to choose from: each can be continued, renamed and deleted, which can be undone. */
export function EventDraftList({
  drafts,
  withoutPlan,
  addressOf,
}: {
  drafts: readonly SavedEventDraft[]
  withoutPlan: readonly EventWithoutPlan[]
  /** Where a draft is continued. */
  addressOf: (draft: SavedEventDraft) => string
}) {
  const [renaming, setRenaming] = useState<SavedEventDraft | null>(null)
  return (
    <TooltipProvider>
      <ul className="flex flex-col gap-3">
        {withoutPlan.map(({ seq, name, reason, to }) => (
          <Card as="li" key={seq} padding="tight" tone="signal">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
              <div className="min-w-0 flex-[1_1_14rem]">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="text-lg font-semibold break-words">{name}</span>
                  <Badge tone="strong">Needs a plan</Badge>
                </p>
                <p className="text-sm text-muted">{reason} Nothing you wrote is lost.</p>
              </div>
              <ButtonLink to={to} variant="secondary" aria-label={`Continue ${name}`}>
                Continue
              </ButtonLink>
            </div>
          </Card>
        ))}
        {drafts.map((draft) => (
          <Card as="li" key={draft.key} padding="tight">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
              <div className="min-w-0 flex-[1_1_14rem]">
                <p className="text-lg font-semibold break-words">{draft.title}</p>
                <p className="text-sm text-muted">
                  {[...factsOf(draft.drafted.values), `saved ${momentFormat.format(new Date(draft.savedAt))}`].join(
                    ' · ',
                  )}
                </p>
              </div>
              <div className="flex items-center gap-1">
                <ButtonLink to={addressOf(draft)} variant="secondary" aria-label={`Continue ${draft.title}`}>
                  Continue
                </ButtonLink>
                <Tooltip hint="Rename">
                  <IconButton label={`Rename ${draft.title}`} onClick={() => setRenaming(draft)}>
                    <Pencil aria-hidden="true" className="size-5" />
                  </IconButton>
                </Tooltip>
                <Tooltip hint="Delete">
                  <IconButton label={`Delete ${draft.title}`} onClick={() => void remove(draft).catch(failed)}>
                    <Trash2 aria-hidden="true" className="size-5" />
                  </IconButton>
                </Tooltip>
              </div>
            </div>
          </Card>
        ))}
      </ul>
      {renaming && <RenameDialog key={renaming.key} draft={renaming} onClose={() => setRenaming(null)} />}
    </TooltipProvider>
  )
}

function RenameDialog({ draft, onClose }: { draft: SavedEventDraft; onClose: () => void }) {
  const [name, setName] = useState(draft.title)
  const save = () => {
    onClose()
    void renameEventDraft(draft, name).catch(failed)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title="Rename draft"
      footer={
        <Button type="submit" form="rename-draft" wide>
          Save Name
        </Button>
      }
    >
      <form
        id="rename-draft"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label="Name"
          hint="Only you see it; the event keeps its own."
          value={name}
          maxLength={160}
          autoComplete="off"
          data-autofocus
          onChange={({ target }) => setName(target.value)}
        />
      </form>
    </Dialog>
  )
}
