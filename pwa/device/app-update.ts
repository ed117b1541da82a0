import { observable, useObservable } from '../api/observable.ts'

const waiting = observable<(() => void) | null>(null)

/** Called when a new version stands ready; `apply` puts it in charge and reloads every tab. */
export function offerUpdate(apply: () => void): void {
  waiting.set(apply)
}

/** Whether a newer version of the app stands ready, and how to change to it. Drafts are on disk before it reloads. */
export function useAppUpdate(): { readonly ready: boolean; readonly apply: () => void } {
  const apply = useObservable(waiting)
  return { ready: apply !== null, apply: apply ?? (() => undefined) }
}
