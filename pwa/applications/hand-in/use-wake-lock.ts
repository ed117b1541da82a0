import { useEffect } from 'react'

/** The screen stays on while this is shown, where the browser can do that; it lets go of the lock with each hidden page. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return
    let isOver = false
    let lock: WakeLockSentinel | undefined
    const hold = async () => {
      if (document.visibilityState !== 'visible') return
      const held = await navigator.wakeLock.request('screen')
      if (isOver) await held.release()
      else lock = held
    }
    // A low battery refuses it.
    const keep = () => void hold().catch(() => undefined)
    keep()
    document.addEventListener('visibilitychange', keep)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', keep)
      void lock?.release()
    }
  }, [])
}
