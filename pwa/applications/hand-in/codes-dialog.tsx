import { useEffect, useState } from 'react'
import type { Entry } from '../../sync/index.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { useCodes, type Codes } from './use-codes.ts'
import { useWakeLock } from './use-wake-lock.ts'

const failures: Record<Exclude<Codes, readonly string[] | 'making'>, string> = {
  gone: 'This application is no longer waiting. Close this and look at its page.',
  'too-long': 'What you wrote is too long for codes. It is sent automatically once this device has a network.',
  failed: 'The code could not be made. Your application is safe, and is sent once this device has a network.',
}

interface CodesDialogProps {
  readonly sealingKey: string
  readonly entry: Entry
  readonly onClose: () => void
}

export function CodesDialog({ sealingKey, entry, onClose }: CodesDialogProps) {
  const codes = useCodes(sealingKey, entry)
  useWakeLock()
  return (
    <Dialog open onClose={onClose} title="Show to the organizer">
      {codes === 'making' ? (
        <Skeleton shape="detail" label="Making the code" />
      ) : typeof codes === 'string' ? (
        <Alert variant="destructive">{failures[codes]}</Alert>
      ) : (
        <div className="flex flex-col items-center text-center">
          <Turning codes={codes} />
          <p className="mt-4 max-w-md">
            The organizer scans {codes.length === 1 ? 'this code' : 'these codes, in any order,'} on the event’s page,
            under “Scan”, and sends your application from their phone. No one else can read it.
          </p>
          <p className="mt-2 max-w-md text-sm text-muted">
            This device sends it too, once it has a network. It still counts once.
          </p>
        </div>
      )}
    </Dialog>
  )
}

/** A camera needs so long to find a code and read it. */
const shownMs = 2500

function Turning({ codes }: { codes: readonly string[] }) {
  const [index, setIndex] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const count = codes.length
  const place = `Code ${index + 1} of ${count}`
  const next = () => setIndex((shown) => (shown + 1) % count)
  useEffect(() => {
    if (isPaused || count === 1) return
    const timer = setInterval(() => setIndex((shown) => (shown + 1) % count), shownMs)
    return () => clearInterval(timer)
  }, [isPaused, count])
  return (
    <>
      <QrCode
        text={codes[index] ?? ''}
        correction="low"
        label={count === 1 ? 'QR code of your application' : `QR code of your application, ${index + 1} of ${count}`}
        className="w-full max-w-104 overflow-hidden rounded-box bg-white"
      />
      {count > 1 && (
        <div className="mt-3 flex w-full max-w-104 items-center justify-between gap-2">
          <span className="font-semibold tabular-nums">{place}</span>
          <span className="flex gap-2">
            <Button variant="ghost" size="small" onClick={() => setPaused(!isPaused)}>
              {isPaused ? 'Go On' : 'Pause'}
            </Button>
            <Button variant="secondary" size="small" onClick={next}>
              Next Code
            </Button>
          </span>
        </div>
      )}
    </>
  )
}
