import { Camera as CameraIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { TryAgain } from '../../ui/button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { useCamera, type CameraState } from './use-camera.ts'

const words: Record<Exclude<CameraState, 'starting' | 'live'>, { title: string; text: string }> = {
  blocked: {
    title: 'The camera is blocked',
    text: 'Allow it for this site in your browser’s settings, or choose a picture of the code.',
  },
  missing: { title: 'There is no camera here', text: 'Choose a picture of the code instead.' },
  busy: { title: 'The camera is in use', text: 'Close the app that uses it, or choose a picture of the code.' },
  insecure: {
    title: 'The camera cannot be used here',
    text: 'It needs an address that begins with https. You can choose a picture of the code.',
  },
}

interface CameraViewProps {
  readonly onCode: (text: string) => Promise<void>
}

export function CameraView({ onCode }: CameraViewProps) {
  const [attempt, setAttempt] = useState(0)
  return <Camera key={attempt} onCode={onCode} onAgain={() => setAttempt(attempt + 1)} />
}

/** The view is a square, as the codes are. */
function Camera({ onCode, onAgain }: CameraViewProps & { readonly onAgain: () => void }) {
  const { video, state } = useCamera(onCode)
  const trouble = state === 'starting' || state === 'live' ? null : words[state]
  useEffect(() => {
    if (trouble) announce(trouble.title)
  }, [trouble])
  return (
    <div className="relative mx-auto aspect-square w-full max-w-104 overflow-hidden rounded-box bg-hall text-hall-content">
      <video ref={video} muted playsInline aria-label="Camera" className="absolute inset-0 size-full object-cover" />
      {state === 'live' && (
        <div aria-hidden="true" className="absolute inset-[12%] rounded-box border-4 border-hall-signal/80" />
      )}
      {state === 'starting' && (
        <p className="absolute inset-0 grid place-items-center text-hall-muted">Starting the camera...</p>
      )}
      {trouble && (
        <div className="absolute inset-0 flex flex-col items-center justify-center gap-2 p-6 text-center">
          <CameraIcon aria-hidden="true" className="size-10 text-hall-muted" />
          <p className="text-lg font-semibold">{trouble.title}</p>
          <p className="mb-2 text-hall-muted">{trouble.text}</p>
          {state !== 'insecure' && <TryAgain onClick={onAgain} />}
        </div>
      )}
    </div>
  )
}
