import { observable, useObservable } from '../browser/observable.ts'

interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/**
 * `available` means that the browser would show its install dialog, and `by-hand` that on iOS only Share → Add to Home
 * Screen installs. `installed` means that this page runs as an app, and `unavailable` that it cannot be installed here,
 * or was already.
 */
export type InstallState = 'installed' | 'available' | 'by-hand' | 'unavailable'

let offered: InstallPromptEvent | null = null
const state = observable<InstallState>('unavailable')

export const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
export const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)

/** The start calls it once, before the browser offers to install. */
export function followInstall(): void {
  state.set(isInstalled() ? 'installed' : isIos() ? 'by-hand' : 'unavailable')
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offered = event as InstallPromptEvent
    state.set('available')
  })
  addEventListener('appinstalled', () => {
    offered = null
    state.set('installed')
  })
}

async function install(): Promise<boolean> {
  const prompt = offered
  if (!prompt) return false
  offered = null
  state.set('unavailable')
  return (await prompt.prompt()).outcome === 'accepted'
}

export function useInstall(): { readonly state: InstallState; readonly install: () => Promise<boolean> } {
  return { state: useObservable(state), install }
}
