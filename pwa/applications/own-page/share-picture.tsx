import { Download, Share2 } from 'lucide-react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { fileNameOf } from '#shared/text/file-name.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { saveFile } from '../../ui/page/save-file.ts'
import { drawBeaconPicture } from './draw-beacon-picture.ts'

const type = 'image/png'

/** Some browsers share only links, or nothing. */
function sharesFiles(): boolean {
  const sample = new File([''], 'beacon.png', { type })
  return 'canShare' in navigator && navigator.canShare({ files: [sample] })
}

/**
 * Shares a picture to show that one is a Beacon: into the phone's sheet where there is one, else among the downloads.
 */
export function SharePicture({ event, firstName }: { event: PublicEvent; firstName: string }) {
  const [drawing, run] = useAction('The picture could not be made')
  const shares = sharesFiles()
  const press = () =>
    void run(async () => {
      const picture = await drawBeaconPicture(event, firstName)
      const name = `beacon-${fileNameOf(event.name) || event.id}.png`
      if (!shares) return saveFile(name, picture, type)
      const url = `${location.origin}${paths.event(event.id)}?from=share`
      const text = `I’m a Beacon at ${event.name}. Come and say hello!`
      try {
        await navigator.share({ files: [new File([picture], name, { type })], text, url })
      } catch (error) {
        const wasClosed = error instanceof Error && error.name === 'AbortError'
        if (!wasClosed) saveFile(name, picture, type)
      }
    })
  const Icon = shares ? Share2 : Download
  return (
    <Button variant="secondary" icon={<Icon className="size-5" />} pending={drawing} onClick={press}>
      {shares ? 'Share the News' : 'Save a Picture to Share'}
    </Button>
  )
}
