import { useMemo, useRef } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { useSession } from '../../device/session/session.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CameraView } from './camera-view.tsx'
import { whyNoCodes } from './codes-work-here.ts'
import { codesInFile } from './read-picture.ts'
import { ScanResult } from './scan-result.tsx'
import type { KeyPair } from './seal.ts'
import { useScan } from './use-scan.ts'

interface ScanDialogProps {
  readonly event: EventDocument
  readonly onClose: () => void
}

const reasons = {
  insecure: 'Codes can only be read at an address that begins with https.',
  old: 'This browser is too old to read the code of an application.',
  keyless: 'What opens applications for this event is not on this device yet. It arrives as soon as you are online.',
}

export function ScanDialog({ event, onClose }: ScanDialogProps) {
  const userId = useSession().user?.id
  const { sealingKey, openingKey } = event
  const keys = useMemo(
    () => (sealingKey === undefined || openingKey === undefined ? null : { sealingKey, openingKey }),
    [sealingKey, openingKey],
  )
  const why = keys === null ? 'keyless' : whyNoCodes()
  return (
    <Dialog
      open
      onClose={onClose}
      title="Scan an application"
      description="From the phone of someone without a network."
    >
      {why === null && keys && userId !== undefined ? (
        <Scanner event={event} keys={keys} userId={userId} onClose={onClose} />
      ) : (
        <Alert>{reasons[why ?? 'keyless']}</Alert>
      )}
    </Dialog>
  )
}

function Scanner({ event, keys, userId, onClose }: ScanDialogProps & { keys: KeyPair; userId: number }) {
  const { scan, look, read, refuse, again } = useScan(event, keys, userId)
  if (scan.done) return <ScanResult event={event} done={scan.done} onAgain={again} onClose={onClose} />
  const { progress, refusal } = scan
  const readFile = async (file: Blob) => {
    const texts = await codesInFile(file).catch(() => null)
    if (texts === null) return refuse('This browser cannot open this file as a picture.')
    if (texts.length === 0)
      return refuse('No code can be read in this picture. Take it from closer up, and straight on.')
    for (const text of texts) await read(text)
  }
  return (
    <div className="flex flex-col gap-4">
      <CameraView onCode={look} />
      {progress && (
        <p className="text-center text-lg font-semibold tabular-nums">
          {progress.read} of {progress.count} codes
        </p>
      )}
      {refusal && <Alert variant="destructive">{refusal}</Alert>}
      <ChooseImage onChosen={(files) => void readAll(files, readFile)} />
    </div>
  )
}

async function readAll(files: readonly File[], readFile: (file: Blob) => Promise<void>): Promise<void> {
  for (const file of files) await readFile(file)
}

function ChooseImage({ onChosen }: { onChosen: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="mx-auto w-full max-w-104">
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        className="sr-only"
        tabIndex={-1}
        aria-label="Picture of the code"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          onChosen(files)
        }}
      />
      <Button variant="secondary" wide onClick={() => input.current?.click()}>
        Choose a Picture
      </Button>
    </div>
  )
}
