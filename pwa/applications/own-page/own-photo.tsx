import { Camera } from 'lucide-react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { ShrunkPicture } from '../../device/shrink-picture.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { PicturePicker } from '../../ui/forms/picture-picker.tsx'
import { SyncLabel } from '../../ui/status-badge.tsx'
import { sendFace, type Opened } from './use-own-page.ts'

const shape = { width: 320, height: 320, maxBytes: 25_000 }

interface OwnPhotoProps {
  readonly opened: Opened
  readonly shown: OwnApplication
  readonly photo: string | null | undefined
  readonly onChanged: () => Promise<void>
}

/** Guests can fetch an approved Beacon's photo alone; before, the page says that it is there. */
export function OwnPhoto({ opened, shown, photo, onChanged }: OwnPhotoProps) {
  const { id, firstName, lastName, faceHash, status } = shown
  const kept = faceHash !== undefined && status === 'approved' ? paths.facePicture(id, faceHash) : undefined
  const has = photo === undefined ? faceHash !== undefined : photo !== null

  const send = async (picture: ShrunkPicture | null) => {
    await sendFace(opened, picture)
    await onChanged()
  }
  return (
    <Card as="section" padding="tight" className="mt-5" aria-labelledby="photo">
      <div className="flex items-center gap-4">
        <Avatar
          initials={initialsOf([firstName, lastName])}
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
              ? 'The organizer sees it now, and guests once you are approved.'
              : 'Optional. Guests recognize you by it.'}
          </p>
          {photo !== undefined && <SyncLabel state="on-this-phone" detail="it will be sent automatically" />}
        </div>
      </div>
      <div className="mt-3">
        <PicturePicker
          label="Photo of you"
          shape={shape}
          choose={has ? 'Use Another Photo' : 'Add a Photo'}
          icon={<Camera className="size-4" />}
          onChosen={send}
          removal={has ? { label: 'Remove Photo', remove: () => send(null) } : null}
        />
      </div>
    </Card>
  )
}
