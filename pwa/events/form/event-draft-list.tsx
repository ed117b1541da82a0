import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { hasPlans } from '../../device/has-plans.ts'
import { useSession } from '../../device/session/session.ts'
import { formatDraftMoment } from '../../ui/forms/draft-notice.tsx'
import { didNotWork } from '../../ui/forms/failure-toast.ts'
import { mutations, argsOf, useOutbox, describeEntry } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { Tooltip, TooltipProvider } from '../../ui/tooltip.tsx'
import { writtenDays, type EventFormValues } from './event-form-values.ts'
import { removeEventDraft, renameEventDraft, type SavedEventDraft } from './event-drafts.ts'

/** Lists events that the server refused for want of a plan. */
export function useEventsWithoutPlan() {
  return useOutbox().items.flatMap(({ entry, reason }) => {
    const args = argsOf(entry, mutations.createEvent)
    if (!args || entry.userId === null || entry.state !== 'parked' || !describeEntry(entry).wantsPlan) return []
    const to = `${paths.createEvent}?resend=${entry.seq}`
    return [{ seq: entry.seq, name: args.fields.name, reason: reason ?? '', to }]
  })
}

const factsOf = (values: EventFormValues) => [writtenDays(values), values.location.trim()].filter(Boolean)

async function remove(userId: number | null, draft: SavedEventDraft): Promise<void> {
  const putBack = await removeEventDraft(userId, draft)
  const undo = () => void putBack().catch(didNotWork)
  toast({ title: 'Draft deleted', description: draft.title, action: { label: 'Undo', onClick: undo } })
}

export function EventDraftList(props: {
  drafts: readonly SavedEventDraft[]
  withoutPlan: ReturnType<typeof useEventsWithoutPlan>
  addressOf: (draft: SavedEventDraft) => string
}) {
  const { drafts, withoutPlan, addressOf } = props
  const { user } = useSession()
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
                  <IconButton
                    label={`Delete ${draft.title}`}
                    onClick={() => void remove(user?.id ?? null, draft).catch(didNotWork)}
                  >
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
