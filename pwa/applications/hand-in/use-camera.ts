import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { codeInFrame } from './read-picture.ts'

export type CameraState = 'starting' | 'live' | 'blocked' | 'missing' | 'busy' | 'insecure'

const wanted = { audio: false, video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } } }

/** It rests so long between two looks, so that the screen stays smooth. */
const restMs = 120

/** @param onCode is told whatever the camera reads, as often as it does */
export function useCamera(onCode: (text: string) => Promise<void>) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<CameraState>('starting')
  const look = useEffectEvent(async () => {
    const text = video.current ? codeInFrame(video.current) : undefined
    if (text !== undefined) await onCode(text)
  })
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    let stream: MediaStream | undefined
    const lookAround = async () => {
      await look()
      if (!isOver) timer = setTimeout(() => void lookAround(), restMs)
    }
    const start = async () => {
      if (!('mediaDevices' in navigator)) return setState('insecure')
      const found = await navigator.mediaDevices.getUserMedia(wanted)
      const shown = video.current
      if (isOver || !shown) return stop(found)
      stream = found
      // A track ends by itself where another app takes the camera.
      for (const track of found.getTracks()) track.addEventListener('ended', () => setState('busy'))
      shown.srcObject = found
      await shown.play()
      setState('live')
      await lookAround()
    }
    start().catch((error: unknown) => {
      if (!isOver) setState(stateAfter(error))
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stop(stream)
    }
  }, [])
  return { video, state }
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

function stateAfter(error: unknown): CameraState {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'blocked'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy'
}
