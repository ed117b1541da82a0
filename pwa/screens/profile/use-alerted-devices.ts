import { useCallback, useEffect, useState } from 'react'
import type { AlertedDevice } from '#shared/api/devices.ts'
import { call, Unreachable } from '../../api/call.ts'
import { reachability } from '../../api/reachability.ts'

export interface AlertedDevices {
  /** As the server last told; null before. */
  readonly devices: readonly AlertedDevice[] | null
  /** Why there is no newer list; null while one is expected or here. */
  readonly failure: 'unreachable' | 'failed' | null
  readonly reload: () => Promise<void>
}

/** The person's devices with alerts: asked of the server when the screen opens and whenever it can be reached again. */
export function useAlertedDevices(): AlertedDevices {
  const [state, setState] = useState<Omit<AlertedDevices, 'reload'>>({ devices: null, failure: null })
  const reload = useCallback(
    () =>
      call('listAlertedDevices').then(
        (devices) => setState({ devices, failure: null }),
        (error: unknown) =>
          setState((before) => ({ ...before, failure: error instanceof Unreachable ? 'unreachable' : 'failed' })),
      ),
    [],
  )
  useEffect(() => {
    void reload()
  }, [reload])
  const hasFailed = state.failure !== null
  useEffect(() => {
    if (!hasFailed) return
    return reachability.subscribe(() => {
      if (reachability.get() === 'reachable') void reload()
    })
  }, [hasFailed, reload])
  return { ...state, reload }
}
