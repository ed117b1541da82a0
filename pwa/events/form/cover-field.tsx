import { Check, ImageUp } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { coverPalettes } from '#shared/events/cover-palettes.ts'
import { useSession } from '../../device/session/session.ts'
import { outbox, mutations } from '../../sync/index.ts'
import { Fieldset } from '../../ui/field.tsx'
import { PicturePicker } from '../../ui/forms/picture-picker.tsx'
import { PaletteSwatch } from '../../applications/event-cover.tsx'

interface CoverFieldProps extends ComponentProps<'input'> {
  label: string
  error?: string | undefined
  optional?: boolean | undefined
  /** Only an event that exists has its scene. */
  preview?: ReactNode
}

/** `register('name')` spreads in: every button gets it. */
export function CoverField({ label, error, optional, preview, ...input }: CoverFieldProps) {
  return (
    <Fieldset legend={label} hint="We draw a cover. Pick its colors." error={error} optional={optional} gap="small">
      {preview}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-x-2 gap-y-3">
        {[null, ...coverPalettes].map((palette) => (
          <label key={palette} className="group flex cursor-pointer flex-col items-center gap-1 text-xs">
            <input {...input} type="radio" value={palette ?? ''} className="sr-only" />
            <span className="relative block h-12 w-full overflow-hidden rounded-field border-2 border-base-100 outline-2 outline-base-300 group-hover:outline-edge group-has-checked:outline-3 group-has-checked:outline-base-content group-has-focus-visible:outline-3 group-has-focus-visible:outline-signal">
              <PaletteSwatch palette={palette} />
              <Check
                strokeWidth={3}
                className="absolute right-1 bottom-1 hidden size-4 rounded-full bg-base-100 p-0.5 text-base-content group-has-checked:block"
              />
            </span>
            <span className="text-center group-has-checked:font-semibold">{palette ?? 'Automatic'}</span>
          </label>
        ))}
      </div>
    </Fieldset>
  )
}

/** A batch with such a picture stays well inside its limit. */
const shape = { width: 1200, height: 600, maxBytes: 90_000 }

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
        onChosen={({ base64: picture, type }) =>
          outbox.enqueue(mutations.setEventCover, { id, name, picture, type }, { userId })
        }
        removal={
          coverHash
            ? {
                label: 'Back to the drawn one',
                remove: () => outbox.enqueue(mutations.removeEventCover, { id, name }, { userId }),
              }
            : null
        }
      />
    </div>
  )
}
