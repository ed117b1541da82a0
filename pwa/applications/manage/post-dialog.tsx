import { useMemo, useState } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { postsOf } from '#shared/events/posts.ts'
import { may } from '../../device/session/acting.ts'
import { useSession } from '../../device/session/session.ts'
import { type ApplicationRow, foldedView } from '../../sync/index.ts'
import { useObservable } from '../../browser/observable.ts'
import { Button, ButtonRow } from '../../ui/button.tsx'
import { CheckboxField, RadioGroupField } from '../../ui/choice-fields.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MessageDialog } from '../messages/message-dialog.tsx'
import { useMarks } from './marks.tsx'
import { fullName, people } from './shown-applicant.ts'

/** Finds the post that everybody has; it is undefined where they differ. */
function commonPost(rows: readonly ApplicationRow[]): string | undefined {
  const posts = new Set(rows.map(({ application }) => application.post ?? ''))
  return posts.size === 1 ? [...posts][0] : undefined
}

interface PostDialogProps {
  readonly event: EventDocument
  readonly rows: readonly ApplicationRow[]
  readonly onClose: () => void
}

/** Gives one post to one Beacon or several, and then offers a message about it. */
export function PostDialog(props: PostDialogProps) {
  const [text, setText] = useState<string | null>(null)
  return text === null ? <ChoosePost {...props} onTell={setText} /> : <TellPost {...props} text={text} />
}

function TellPost({ event, rows, onClose, text }: PostDialogProps & { readonly text: string }) {
  const rowsOfEvent = useObservable(foldedView).applicationsOf(event.id)
  const applications = useMemo(() => rowsOfEvent.map(({ application }) => application), [rowsOfEvent])
  const selected = rows.map(({ application }) => application.id)
  return <MessageDialog {...{ event, applications, onClose }} start={{ audience: 'selected', selected, text }} />
}

/** @param onTell receives the words of a message about the post */
function ChoosePost({ event, rows, onClose, onTell }: PostDialogProps & { readonly onTell: (text: string) => void }) {
  const marks = useMarks(useSession().user?.id ?? null)
  const present = commonPost(rows)
  const [post, setPost] = useState(present)
  const [tell, setTell] = useState(false)
  const listed = postsOf(event)
  const removed = present && !listed.includes(present) ? [present] : []
  const who = rows.length === 1 && rows[0] ? fullName(rows[0].application) : people(rows.length)
  async function save() {
    if (post === undefined) return
    const isKept = post === present || (await marks.onPost(rows, post || null))
    if (!isKept) return
    if (!tell) return onClose()
    onTell(post ? `Your post: ${post}` : 'You no longer have a post. Please ask the organizer.')
  }
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title={`Post for ${who}`}
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={post === undefined} onClick={() => void save()}>
            Save
          </Button>
        </ButtonRow>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioGroupField
          label="Post"
          name="post"
          value={post ?? 'several'}
          onChange={({ target }) => setPost(target.value)}
          options={[
            ...listed.map((one) => ({ value: one, label: one })),
            ...removed.map((one) => ({ value: one, label: one, hint: 'No longer on the event’s list' })),
            { value: '', label: 'No post' },
          ]}
        />
        {may('reviewer') && (
          <CheckboxField
            label={rows.length === 1 ? 'Write a message about it' : 'Write them a message about it'}
            hint="You can read it over before it is sent. The post is also on each Beacon’s own page."
            checked={tell}
            onChange={({ target }) => setTell(target.checked)}
          />
        )}
      </div>
    </Dialog>
  )
}
