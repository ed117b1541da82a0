import type { ReactNode } from 'react'
import { createPath, Router, type Navigator, type To } from 'react-router-dom'

const addressOf = (to: To) => (typeof to === 'string' ? to : createPath(to))
/** The app's router finds what was handed to it in the entry of the browser's history, under this name. */
const entryWith = (state: unknown) => ({ usr: state, key: 'checkout' })

const navigator: Navigator = {
  createHref: addressOf,
  push: (to, state) => {
    if (state == null) return location.assign(addressOf(to))
    history.pushState(entryWith(state), '', addressOf(to))
    location.reload()
  },
  replace: (to, state) => {
    if (state == null) return location.replace(addressOf(to))
    history.replaceState(entryWith(state), '', addressOf(to))
    location.reload()
  },
  go: (delta) => history.go(delta),
}

/** Every link leads out of this document: the provider's script stays behind, and the app begins anew. */
export function LeavingRouter({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = location
  return (
    <Router location={{ pathname, search, hash }} navigator={navigator}>
      {children}
    </Router>
  )
}
