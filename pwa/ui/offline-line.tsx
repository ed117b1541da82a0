import { WifiOff } from 'lucide-react'
import { NoticeLine } from './shell.tsx'

/** The quiet line of a phone without a network: no alarm, for everything seen before is here. */
export function OfflineLine() {
  return (
    <NoticeLine icon={<WifiOff aria-hidden="true" className="size-4 shrink-0 text-muted" />}>
      Offline. You see what is saved on this device.
    </NoticeLine>
  )
}
