import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { isCalendarDate } from '#shared/record/record.ts'
import { formatDateRange } from '#shared/time/date-range.ts'
import { hasPlans } from '../../device/has-plans.ts'
import { dropDraft, keepDraft } from '../../device/kept-drafts.ts'
import { formatDraftMoment } from '../../ui/forms/draft-notice.tsx'
import { didNotWork } from '../../ui/forms/failure-toast.ts'
import { createEvent } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { argsOf, wantsPlan } from '../../device/session/queued-entry.ts'
import { useOutbox } from '../../device/session/use-outbox.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { Tooltip, TooltipProvider } from '../../ui/tooltip.tsx'
import type { EventFormValues } from './event-form-values.ts'
import { renameEventDraft, type SavedEventDraft } from './event-drafts.ts'

/** Events that the server refused for want of a plan. */
export function useEventsWithoutPlan() {
  return useOutbox().items.flatMap(({ entry, reason }) => {
    const args = argsOf(entry, createEvent)
    if (!args || entry.userId === null || entry.state !== 'parked' || !wantsPlan(entry)) return []
    const to = `${paths.createEvent}?resend=${entry.seq}`
    return [{ seq: entry.seq, name: args.fields.name, reason: reason ?? '', to }]
  })
}

function factsOf({ startDate, endDate, location }: EventFormValues): string[] {
  const start = isCalendarDate(startDate) ? startDate : null
  const end = isCalendarDate(endDate) && start !== null && endDate >= start ? endDate : start
  return [...(start && end ? [formatDateRange(start, end)] : []), ...(location.trim() ? [location.trim()] : [])]
}

async function remove({ key, title, drafted, savedAt }: SavedEventDraft): Promise<void> {
  await dropDraft(key)
  const putBack = () => void keepDraft({ key, value: drafted, savedAt }).catch(didNotWork)
  toast({ title: 'Draft deleted', description: title, action: { label: 'Undo', onClick: putBack } })
}

export function EventDraftList(props: {
  drafts: readonly SavedEventDraft[]
  withoutPlan: ReturnType<typeof useEventsWithoutPlan>
  addressOf: (draft: SavedEventDraft) => string
}) {
  const { drafts, withoutPlan, addressOf } = props
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
                  {hasPlans() && <Badge tone="strong">Needs a plan</Badge>}
                </p>
                <p className="text-sm text-muted">{hasPlans() && reason} Nothing you wrote is lost.</p>
              </div>
              <Continue to={to} name={name} />
            </div>
          </Card>
        ))}
        {drafts.map((draft) => (
          <Card as="li" key={draft.key} padding="tight">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
              <div className="min-w-0 flex-[1_1_14rem]">
                <p className="text-lg font-semibold break-words">{draft.title}</p>
                <p className="text-sm text-muted">
                  {[...factsOf(draft.drafted.values), `saved ${formatDraftMoment(draft.savedAt)}`].join(' · ')}
                </p>
              </div>
              <div className="flex items-center gap-1">
                <Continue to={addressOf(draft)} name={draft.title} />
                <Tooltip hint="Rename">
                  <IconButton label={`Rename ${draft.title}`} onClick={() => setRenaming(draft)}>
                    <Pencil className="size-5" />
                  </IconButton>
                </Tooltip>
                <Tooltip hint="Delete">
                  <IconButton label={`Delete ${draft.title}`} onClick={() => void remove(draft).catch(didNotWork)}>
                    <Trash2 className="size-5" />
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

function Continue({ to, name }: { to: string; name: string }) {
  return (
    <ButtonLink to={to} variant="secondary" aria-label={`Continue ${name}`}>
      Continue
    </ButtonLink>
  )
}

function RenameDialog({ draft, onClose }: { draft: SavedEventDraft; onClose: () => void }) {
  const [name, setName] = useState(draft.title)
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
          onClose()
          void renameEventDraft(draft, name).catch(didNotWork)
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
