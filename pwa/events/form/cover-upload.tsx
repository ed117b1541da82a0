import { ImageUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useSession } from '../../device/session/session.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { shrinkPicture } from '../../device/shrink-picture.ts'
import { enqueueShown, removeEventCover, setEventCover } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { announce } from '../../ui/live-region.tsx'

/** With a batch's other changes well inside its limit. */
const shape = { width: 1200, height: 600, mostBytes: 90_000 }

/** Kept at once and not with the form: a picture has no draft. */
export function CoverUpload({ event }: { event: { id: number; name: string; coverHash?: string | undefined } }) {
  const userId = useSession().user?.id ?? null
  const file = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { id, name } = event

  async function keep(work: () => Promise<unknown>, said: string) {
    setBusy(true)
    setFailure(null)
    try {
      await work()
      announce(said)
    } catch (error) {
      setFailure(saveFailureText(error))
    }
    setBusy(false)
  }

  async function upload(chosen: File) {
    const { base64: picture, type } = await shrinkPicture(chosen, shape)
    await enqueueShown(setEventCover, { id, name, picture, type }, { userId })
  }

  return (
    <div className="mb-2 flex flex-wrap items-center gap-2">
      <input
        ref={file}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label="Picture for the cover"
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          target.value = ''
          if (chosen) void keep(() => upload(chosen), 'Picture saved on this device.')
        }}
      />
      <Button
        variant="secondary"
        size="small"
        pending={busy}
        pendingText="Making it smaller..."
        icon={<ImageUp aria-hidden="true" className="size-4" />}
        onClick={() => file.current?.click()}
      >
        {event.coverHash ? 'Use another picture' : 'Use a picture of yours'}
      </Button>
      {event.coverHash && (
        <Button
          variant="ghost"
          size="small"
          onClick={() => void keep(() => enqueueShown(removeEventCover, { id, name }, { userId }), 'Picture removed.')}
        >
          Back to the drawn one
        </Button>
      )}
      {failure && <FieldError id="cover-failure">{failure}</FieldError>}
    </div>
  )
}
