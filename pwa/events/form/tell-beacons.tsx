import { useState } from 'react'
import type { EventFields } from '#shared/events/event.ts'
import { changeInWords, maxChangeNote, type WhenAndWhere } from '#shared/events/when-and-where.ts'
import { messageComplaint } from '#shared/mail/message-text.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { people } from '../../applications/manage/shown-applicant.ts'
import { Button, ButtonRow } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextareaField } from '../../ui/text-field.tsx'

export interface NewsForBeacons {
  /** Says what the mail that goes without asking is about, such as 'time and place'; undefined means that none goes. */
  readonly change: string | undefined
  readonly hasNewInstructions: boolean
}

/** Says what Beacons would want to know of an edit; it is null for nothing, or once the event is over. */
export function newsForBeacons(event: EventDocument, fields: EventFields, now: Date): NewsForBeacons | null {
  const after: WhenAndWhere & { timeZone: string } = { ...event, ...fields }
  if (hasEnded(after, now)) return null
  const change = changeInWords(event, after)
  const hasNewInstructions = (event.beaconInstructions ?? '') !== (fields.beaconInstructions ?? '')
  return change === undefined && !hasNewInstructions ? null : { change, hasNewInstructions }
}

/**
 * Says before an edit is saved which mail will go, and takes a line for it.
 *
 * @param onSave receives the line, or null for none
 */
export function TellBeacons(props: {
  readonly news: NewsForBeacons
  readonly beacons: number
  readonly pending: boolean
  readonly onSave: (line: string | null) => void
  readonly onClose: () => void
}) {
  const { news, beacons, pending, onSave, onClose } = props
  const [line, setLine] = useState('')
  const [error, setError] = useState('')
  function save() {
    const text = line.trim()
    const complaint =
      text.length > maxChangeNote ? `Please keep this under ${maxChangeNote} characters` : messageComplaint(text)
    setError(complaint ?? '')
    if (!complaint) onSave(text || null)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title="What your Beacons will hear"
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose}>
            Back
          </Button>
          <Button pending={pending} pendingText="Saving..." onClick={save} data-autofocus>
            Save Changes
          </Button>
        </ButtonRow>
      }
    >
      <div className="flex flex-col gap-4">
        <p>{sentence(news, beacons)}</p>
        <TextareaField
          label={news.change ? 'Add a line to it' : 'Write them a message'}
          optional
          rows={3}
          value={line}
          error={error}
          onChange={({ target }) => setLine(target.value)}
        />
      </div>
    </Dialog>
  )
}

function sentence({ change, hasNewInstructions }: NewsForBeacons, beacons: number): string {
  const who = `${people(beacons)} ${beacons === 1 ? 'gets' : 'get'}`
  const readThere = `The new instructions are on each Beacon’s own page`
  if (change === undefined) return `${readThere}. No email is sent about them unless you write one.`
  const mail = `${who} an email about the new ${change}, five minutes after your last change.`
  return hasNewInstructions ? `${mail} ${readThere}.` : mail
}
