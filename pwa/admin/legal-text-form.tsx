import { useState } from 'react'
import { siteBody, type Site } from '#shared/admin/site-calls.ts'
import { legalTexts } from '#shared/site/legal-texts.ts'
import { formatDate } from '#shared/time/date-range.ts'
import { hasPlans } from '../device/has-plans.ts'
import { useSession } from '../device/session/session.ts'
import { call } from '../sync/index.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { DraftKept, DraftNotice, useFormDraft } from '../ui/forms/draft-notice.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { Skeleton } from '../ui/loading.tsx'
import { TextareaField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'

interface LegalTextFormProps {
  readonly of: 'privacy' | 'terms'
  readonly site: Site
  readonly onSaved: (site: Site) => void
}

export function LegalTextForm({ of, site, onSaved }: LegalTextFormProps) {
  const { user } = useSession()
  const draft = useFormDraft<string>(`user:${user?.id}/site/${of}`)
  const own = site[of]
  const [isWriting, setIsWriting] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const [pending, run] = useAction('It was not saved')
  const save = async (text: string | null) => {
    await run(async () => {
      onSaved(await call('saveSite', { body: { [of]: text } }))
      draft.startOver()
      setIsWriting(false)
      toast({ title: text === null ? 'The shipped text is back' : 'Your text is online' })
    })
    setIsAsking(false)
  }
  if (draft.status === 'loading') return <Skeleton shape="card" />
  if (!isWriting && draft.restored === null)
    return (
      <>
        <p className="mb-4 text-muted">
          {own
            ? `Your own text, last edited ${formatDate(own.updatedDate)}.`
            : 'The text that comes with the program, which says what it does. Add what you do in addition.'}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onClick={() => setIsWriting(true)}>
            {own ? 'Edit Your Text' : 'Write Your Own'}
          </Button>
          {own && (
            <Button variant="danger-quiet" onClick={() => setIsAsking(true)}>
              Back to the Shipped Text
            </Button>
          )}
        </div>
        <ConfirmDialog
          open={isAsking}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void save(null)}
          title="Back to the shipped text?"
          confirmLabel="Delete Mine"
          cancelLabel="Keep Mine"
          pending={pending}
          pendingText="Deleting..."
        >
          Your own text is deleted.
        </ConfirmDialog>
      </>
    )
  return (
    <>
      <DraftNotice draft={draft} />
      <Editor
        key={draft.turn}
        of={of}
        text={draft.restored ?? own?.text ?? legalTexts[of].text(hasPlans())}
        pending={pending}
        onText={draft.save}
        onSave={(text) => void save(text)}
        onCancel={() => {
          draft.startOver()
          setIsWriting(false)
        }}
      />
      <DraftKept kept={draft.kept} />
    </>
  )
}

interface EditorProps {
  readonly of: 'privacy' | 'terms'
  readonly text: string
  readonly pending: boolean
  readonly onText: (text: string) => void
  readonly onSave: (text: string) => void
  readonly onCancel: () => void
}

function Editor({ of, text, pending, onText, onSave, onCancel }: EditorProps) {
  const [typed, setTyped] = useState(text)
  const wrong =
    typed.trim() === ''
      ? 'Please write a text, or go back to the shipped one'
      : siteBody.safeParse({ [of]: typed }).error?.issues[0]?.message
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (wrong === undefined) onSave(typed)
      }}
    >
      <TextareaField
        label="Your text"
        hint="An empty line begins a paragraph, ## a heading, - a list. **Bold**, and [a link](/contact)."
        rows={16}
        value={typed}
        error={wrong}
        onChange={({ target }) => {
          setTyped(target.value)
          onText(target.value)
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending} pendingText="Saving...">
          Put It Online
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
