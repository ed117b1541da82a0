import { useRef, useState, type ReactNode } from 'react'
import { saveFailureText } from '../../device/save-failure.ts'
import { shrinkPicture, type ShrunkPicture } from '../../device/shrink-picture.ts'
import { Button } from '../button.tsx'
import { FieldError } from '../field.tsx'
import { announce } from '../live-region.tsx'

interface PicturePickerProps {
  /** Screen readers call the file input this. */
  readonly label: string
  readonly shape: Parameters<typeof shrinkPicture>[1]
  readonly choose: string
  readonly icon: ReactNode
  readonly onChosen: (picture: ShrunkPicture) => Promise<unknown>
  readonly removal: { readonly label: string; readonly remove: () => Promise<unknown> } | null
}

/** Kept at once, not with a form: a picture has no draft. */
export function PicturePicker({ label, shape, choose, icon, onChosen, removal }: PicturePickerProps) {
  const file = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

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
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        ref={file}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={label}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          target.value = ''
          if (chosen)
            void keep(async () => onChosen(await shrinkPicture(chosen, shape)), 'Picture saved on this device.')
        }}
      />
      <Button
        variant="secondary"
        size="small"
        pending={busy}
        pendingText="Making it smaller..."
        icon={icon}
        onClick={() => file.current?.click()}
      >
        {choose}
      </Button>
      {removal && (
        <Button variant="ghost" size="small" onClick={() => void keep(removal.remove, 'Picture removed.')}>
          {removal.label}
        </Button>
      )}
      {failure && <FieldError id="picture-failure">{failure}</FieldError>}
    </div>
  )
}
