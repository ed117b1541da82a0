import { Copy, Mail, Send } from 'lucide-react'
import { accountPrefix } from '../../device/session/acting.ts'
import { useMemo, useState } from 'react'
import { audiences, maxMessageLength, type Audience } from '#shared/applications/message.ts'
import { unknownPlaceholders } from '#shared/mail/email-template.ts'
import { messageComplaint, messageText } from '#shared/mail/message-text.ts'
import { placeholders } from '#shared/events/template-placeholders.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { isVisible } from '#shared/text/plain-text.ts'
import { useDraft } from '../../device/drafts.ts'
import { useSession } from '../../device/session/session.ts'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, ButtonLink, ButtonRow } from '../../ui/button.tsx'
import { RadioGroupField } from '../../ui/choice-fields.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { TextareaField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { fullName } from '../manage/shown-applicant.ts'
import { addressesOf, audienceLabelAt, deliveryLine, mailtoLink, recipientsOf } from './recipients.ts'
import { queueMessage, useMessageLog } from './use-messages.ts'

/** Says to whom a message is written at first, and what it says at first. */
export interface MessageStart {
  readonly audience: Audience
  readonly selected?: readonly number[]
  readonly text?: string
}

interface MessageDialogProps {
  readonly event: EventDocument
  readonly applications: readonly ApplicationDocument[]
  readonly start: MessageStart
  readonly onClose: () => void
}

/** What is typed is kept as a draft of its event until it is sent. A message that begins with a text leaves that draft alone. */
export function MessageDialog(props: MessageDialogProps) {
  const { event, start } = props
  const { user } = useSession()
  const subject = start.text === undefined ? '' : '/begun'
  const draft = useDraft<string>(`${accountPrefix(user?.id ?? 0)}message/${event.id}${subject}`)
  if (draft.status === 'loading') return null
  return <Composer {...props} initial={start.text ?? draft.found ?? ''} draft={draft} />
}

interface ComposerProps extends MessageDialogProps {
  readonly initial: string
  readonly draft: ReturnType<typeof useDraft<string>>
}

function Composer({ event, applications, start, onClose, initial, draft }: ComposerProps) {
  const { user } = useSession()
  const now = useNow()
  const [audience, setAudience] = useState(start.audience)
  const [text, setText] = useState(initial)
  const [complaint, setComplaint] = useState('')
  const [sending, run] = useAction('Not saved')
  const { answer: log } = useMessageLog(event.id)
  const selected = useMemo(() => start.selected ?? [], [start.selected])
  const recipients = useMemo(
    () => recipientsOf(applications, audience, selected, event, now),
    [applications, audience, selected, event, now],
  )
  const devices = useMemo(
    () => log && new Map(log.devices.map(({ applicationId, count }) => [applicationId, count])),
    [log],
  )
  const confirmed = user?.emailVerified ?? false

  function change(next: string) {
    setText(next)
    setComplaint('')
    draft.save(next)
  }
  function send() {
    const found = complaintAbout(text, recipients.length)
    setComplaint(found)
    if (found !== '' || sending) return
    void run(async () => {
      const message = {
        eventId: event.id,
        eventName: event.name,
        audience,
        applicationIds: recipients.map(({ id }) => id),
        text: text.trim(),
      }
      await queueMessage(message, user?.id ?? null)
      await draft.clear()
      onClose()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Message to Beacons"
      description={event.name}
      footer={
        <>
          <p className="mb-3 font-semibold tabular-nums" aria-live="polite">
            {recipients.length === 0 ? 'No one is in this group.' : deliveryLine(recipients, devices ?? undefined)}
          </p>
          <ButtonRow>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button icon={<Send className="size-4" />} onClick={send} pending={sending} pendingText="Saving...">
              Send
            </Button>
          </ButtonRow>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Audiences {...{ event, now, applications, selected, audience }} onChoose={setAudience} />
        <TextareaField
          label="Message"
          hint={`${text.length} of ${maxMessageLength} characters. Sent by email, on devices that asked, and on each person’s own page.`}
          rows={6}
          value={text}
          error={complaint}
          onChange={({ target }) => change(target.value)}
          data-autofocus
        />
        <Placeholders onInsert={(name) => change(`${text}[${name}]`)} />
        {!confirmed && (
          <Alert
            variant="signal"
            title="Confirm your email address first"
            action={
              <ButtonLink to={paths.profile} variant="secondary" size="small">
                Open Profile
              </ButtonLink>
            }
          >
            Until then links, addresses and telephone numbers are left out of your messages.
          </Alert>
        )}
        <Preview {...{ text, event, confirmed }} reader={recipients[0]} />
        <Addresses recipients={recipients} />
        <p className="text-sm text-muted">
          You can undo it until it leaves this device, and take it back for one minute after that.
        </p>
      </div>
    </Dialog>
  )
}

function complaintAbout(text: string, people: number): string {
  if (!isVisible(text)) return 'Please write a message'
  if (text.trim().length > maxMessageLength) return `Please keep this under ${maxMessageLength} characters`
  if (people === 0) return 'Please choose a group with someone in it'
  return messageComplaint(text) ?? ''
}

function Audiences(props: {
  event: EventDocument
  now: Date
  applications: readonly ApplicationDocument[]
  selected: readonly number[]
  audience: Audience
  onChoose: (audience: Audience) => void
}) {
  const { event, now, applications, selected, audience, onChoose } = props
  const offered = audiences
    .map((one) => ({ one, people: recipientsOf(applications, one, selected, event, now) }))
    .filter(({ one, people }) => one === audience || people.length > 0)
  return (
    <RadioGroupField
      label="To"
      name="audience"
      value={audience}
      onChange={({ target }) => onChoose(target.value as Audience)}
      options={offered.map(({ one, people: [first, ...more] }) => ({
        value: one,
        label:
          one === 'selected' && first && more.length === 0
            ? fullName(first)
            : `${audienceLabelAt(one, event, now)} (${first ? more.length + 1 : 0})`,
      }))}
    />
  )
}

function Placeholders({ onInsert }: { onInsert: (name: string) => void }) {
  return (
    <details>
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">Placeholders</summary>
      <div className="mt-1 flex flex-wrap gap-2">
        {placeholders.map((name) => (
          <Button key={name} variant="secondary" size="small" onClick={() => onInsert(name)}>
            [{name}]
          </Button>
        ))}
      </div>
    </details>
  )
}

function Preview(props: {
  text: string
  event: EventDocument
  confirmed: boolean
  reader: ApplicationDocument | undefined
}) {
  const { text, event, confirmed, reader } = props
  const unknown = unknownPlaceholders(text)
  if (!isVisible(text) || !reader) return null
  return (
    <section aria-labelledby="message-preview" className="rounded-box bg-quiet-soft p-4">
      <h3 id="message-preview" className="text-sm font-medium text-muted">
        Preview for {fullName(reader)}
      </h3>
      <p className="mt-2 break-words whitespace-pre-wrap">{messageText(text, fullName(reader), event, confirmed)}</p>
      {unknown.length > 0 && (
        <p className="mt-2 text-sm text-signal">
          Will arrive as written: {unknown.map((name) => `[${name}]`).join(', ')}
        </p>
      )}
    </section>
  )
}

function Addresses({ recipients }: { recipients: readonly ApplicationDocument[] }) {
  const addresses = addressesOf(recipients)
  const link = mailtoLink(addresses)
  if (addresses.length === 0) return null
  const copy = async () => {
    await navigator.clipboard.writeText(addresses.join(', '))
    toast({ title: 'Copied', description: `${addresses.length} email addresses` })
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="ghost"
        size="small"
        icon={<Copy className="size-4" />}
        onClick={() =>
          void copy().catch(() => toast({ title: 'The addresses could not be copied', variant: 'destructive' }))
        }
      >
        Copy email addresses
      </Button>
      {link && (
        <a href={link} className="btn btn-ghost text-base pointer-fine:px-3 pointer-fine:text-sm">
          <Mail className="size-4" aria-hidden="true" />
          Write in your own mail program
        </a>
      )}
    </div>
  )
}
