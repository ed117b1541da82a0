import { useRef, useState } from 'react'
import { outbox, largestQueueFile, readExport, requireOwnFile, type QueueFile } from '../sync/index.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonRow } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { didNotWork } from '../ui/forms/failure-toast.ts'
import { toast } from '../ui/toast.ts'
import { formatMoment } from '../ui/page/local-time.ts'
import { entryLabel } from '../device/session/queued-entry.ts'
import { saveFile } from '../ui/page/save-file.ts'
import { useNow } from '../ui/page/use-now.ts'

async function save(userId: number | null): Promise<void> {
  saveFile('beaconry-changes.json', await outbox.exportQueue(userId), 'application/json')
}

/** Read from a file; nothing of it is queued yet. */
interface Offered {
  readonly text: string
  readonly file: QueueFile
  /** Keys that are on this device already. */
  readonly here: ReadonlySet<string>
}

async function read(file: File, userId: number | null): Promise<Offered> {
  if (file.size > largestQueueFile) throw new Error('This file is too large to hold saved changes.')
  const text = await file.text()
  const content = readExport(text)
  requireOwnFile(content, userId)
  const here = new Set((await outbox.pendingFor(userId)).map(({ key }) => key))
  return { text, file: content, here }
}

async function send({ text }: Offered, userId: number | null): Promise<void> {
  const { added, skipped } = await outbox.importQueue(text, { userId })
  toast({
    title: added === 1 ? '1 change added' : `${added} changes added`,
    description: skipped > 0 ? `${skipped} ${skipped === 1 ? 'was' : 'were'} here already.` : undefined,
  })
}

const changes = (count: number) => (count === 1 ? '1 Change' : `${count} Changes`)

function FileDialog(props: {
  offered: Offered
  account: string | null
  onClose: () => void
  onSend: () => Promise<void>
}) {
  const { offered, account, onClose, onSend } = props
  const [sending, setSending] = useState(false)
  const { file, here } = offered
  const fresh = file.entries.filter(({ key }) => !here.has(key))
  const now = useNow()
  const known = file.entries.length - fresh.length
  const facts = [
    file.exportedAt && `Saved to the file ${formatMoment(file.exportedAt, now)}.`,
    account === null ? 'Made by a visitor who was not signed in.' : `Made as ${account}.`,
    known > 0 &&
      `${known} of them ${known === 1 ? 'is' : 'are'} on this device already and ${known === 1 ? 'stays' : 'stay'} as ${known === 1 ? 'it is' : 'they are'}.`,
    'What the server has already is not done twice.',
  ]
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        fresh.length > 0
          ? `Send ${fresh.length === 1 ? 'this change' : `these ${fresh.length} changes`}?`
          : 'Nothing to send'
      }
      description={facts.filter(Boolean).join(' ')}
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose} data-autofocus>
            {fresh.length > 0 ? 'Cancel' : 'Close'}
          </Button>
          {fresh.length > 0 && (
            <Button
              pending={sending}
              pendingText="Adding..."
              onClick={() => {
                setSending(true)
                void onSend().finally(() => setSending(false))
              }}
            >
              {fresh.length === 1 ? 'Send This Change' : `Send These ${changes(fresh.length)}`}
            </Button>
          )}
        </ButtonRow>
      }
    >
      {file.unreadable.length > 0 && (
        <Alert
          className="mb-4"
          variant="signal"
          title={`${changes(file.unreadable.length).toLowerCase()} cannot be read and ${file.unreadable.length === 1 ? 'stays' : 'stay'} in the file`}
        >
          {[...new Set(file.unreadable)].join(' ')}
        </Alert>
      )}
      <ol aria-label="What the file holds">
        {file.entries.map((entry) => {
          const { key, createdAt, state } = entry
          return (
            <li key={key} className="border-t border-base-300 py-2.5 first:border-0">
              <p className="[overflow-wrap:anywhere]">{entryLabel(entry)}</p>
              <p className="text-sm text-muted">
                {[
                  `Made ${formatMoment(createdAt, now)}`,
                  here.has(key) && 'on this device already',
                  !here.has(key) && state === 'parked' && 'was refused before, waits for you',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </li>
          )
        })}
      </ol>
      {file.entries.length === 0 && <p>The file holds no change that can be sent.</p>}
    </Dialog>
  )
}

/** As a file to another device. Sent from both, each change happens once. */
export function MoveQueue(props: { userId: number | null; account: string | null; hasChanges: boolean }) {
  const { userId, account, hasChanges } = props
  const input = useRef<HTMLInputElement>(null)
  const [offered, setOffered] = useState<Offered | null>(null)
  return (
    <div className="mt-10 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <p className="mr-2 max-sm:w-full">Moving to another device?</p>
      {hasChanges && (
        <Button
          variant="ghost"
          size="small"
          className="max-sm:-ml-4"
          onClick={() => void save(userId).catch(didNotWork)}
        >
          Save changes to a file
        </Button>
      )}
      <Button variant="ghost" size="small" className="max-sm:-ml-4" onClick={() => input.current?.click()}>
        Open a file of changes
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="File of saved changes"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void read(file, userId).then(setOffered).catch(didNotWork)
        }}
      />
      {offered && (
        <FileDialog
          offered={offered}
          account={account}
          onClose={() => setOffered(null)}
          onSend={async () => {
            await send(offered, userId).catch(didNotWork)
            setOffered(null)
          }}
        />
      )}
    </div>
  )
}
