import { Camera } from 'lucide-react'
import { useRef, useState } from 'react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { shrinkPicture } from '../../device/shrink-picture.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FieldError } from '../../ui/field.tsx'
import { SyncLabel } from '../../ui/status-badge.tsx'
import { sendFace, type Opened } from './use-own-page.ts'

const shape = { width: 320, height: 320, mostBytes: 25_000 }

interface OwnPhotoProps {
  readonly opened: Opened
  readonly shown: OwnApplication
  /** See `OwnPageState`. */
  readonly photo: string | null | undefined
  readonly onChanged: () => Promise<void>
}

/** Only an approved Beacon's photo can be fetched; before, the page tells that it is there. */
export function OwnPhoto({ opened, shown, photo, onChanged }: OwnPhotoProps) {
  const file = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { id, firstName, lastName, faceHash, status } = shown
  const kept = faceHash !== undefined && status === 'approved' ? paths.facePicture(id, faceHash) : undefined
  const has = photo === undefined ? faceHash !== undefined : photo !== null

  async function keep(work: () => Promise<unknown>) {
    setBusy(true)
    setFailure(null)
    try {
      await work()
      await onChanged()
    } catch (error) {
      setFailure(saveFailureText(error))
    }
    setBusy(false)
  }
  return (
    <Card as="section" padding="tight" className="mt-5" aria-labelledby="photo">
      <div className="flex items-center gap-4">
        <Avatar
          initials={`${firstName.charAt(0)}${lastName.charAt(0)}`}
          face={photo === undefined ? kept : (photo ?? undefined)}
          size="large"
          tone="lamp"
        />
        <div className="min-w-0 flex-1">
          <h2 id="photo" className="text-lg">
            Your photo
          </h2>
          <p className="text-sm text-muted">
            {has && status !== 'approved'
              ? 'It is kept, and shown once you are approved.'
              : 'Optional. Guests recognize you by it.'}
          </p>
          {photo !== undefined && <SyncLabel state="on-this-phone" detail="it is sent by itself" />}
        </div>
      </div>
      <input
        ref={file}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label="Photo of you"
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          target.value = ''
          if (chosen) void keep(async () => sendFace(opened, await shrinkPicture(chosen, shape)))
        }}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="small"
          pending={busy}
          pendingText="Making it smaller..."
          icon={<Camera aria-hidden="true" className="size-4" />}
          onClick={() => file.current?.click()}
        >
          {has ? 'Use Another Photo' : 'Add a Photo'}
        </Button>
        {has && (
          <Button variant="ghost" size="small" onClick={() => void keep(() => sendFace(opened, null))}>
            Remove Photo
          </Button>
        )}
      </div>
      {failure && <FieldError id="photo-failure">{failure}</FieldError>}
    </Card>
  )
}
