import { ImageUp } from 'lucide-react'
import { useSession } from '../../device/session/session.ts'
import { outbox, removeEventCover, setEventCover } from '../../sync/index.ts'
import { PicturePicker } from '../../ui/forms/picture-picker.tsx'

/** So that a batch with it stays well inside its limit. */
const shape = { width: 1200, height: 600, mostBytes: 90_000 }

export function CoverUpload({ event }: { event: { id: number; name: string; coverHash?: string | undefined } }) {
  const userId = useSession().user?.id ?? null
  const { id, name, coverHash } = event
  return (
    <div className="mb-2">
      <PicturePicker
        label="Picture for the cover"
        shape={shape}
        choose={coverHash ? 'Use another picture' : 'Use a picture of yours'}
        icon={<ImageUp className="size-4" />}
        onChosen={({ base64: picture, type }) => outbox.enqueue(setEventCover, { id, name, picture, type }, { userId })}
        removal={
          coverHash
            ? {
                label: 'Back to the drawn one',
                remove: () => outbox.enqueue(removeEventCover, { id, name }, { userId }),
              }
            : null
        }
      />
    </div>
  )
}
