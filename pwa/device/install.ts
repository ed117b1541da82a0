import { observable, useObservable } from '../sync/index.ts'

interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/**
 * `available`: the browser would show its install dialog. `by-hand`: iOS, where only Share → Add to Home Screen installs.
 * `installed`: this page runs as an app. `unavailable`: this browser does not install, or did already.
 */
export type InstallState = 'installed' | 'available' | 'by-hand' | 'unavailable'

let offered: InstallPromptEvent | null = null
const state = observable<InstallState>('unavailable')

export const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
export const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)

/** Keeps the browser's offer to install until someone wants it; called once at start, before the browser makes it. */
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

/** Whether the app can be put on the home screen, and the way to do it. */
export function useInstall(): { readonly state: InstallState; readonly install: () => Promise<boolean> } {
  return { state: useObservable(state), install }
}
