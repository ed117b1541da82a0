let openModals: readonly HTMLElement[] = []
const listeners = new Set<() => void>()

function put(next: readonly HTMLElement[]): void {
  openModals = next
  for (const listener of listeners) listener()
}

/** @returns what takes the modal dialog off the list again */
export function noteModal(dialog: HTMLElement): () => void {
  put([...openModals, dialog])
  return () => put(openModals.filter((one) => one !== dialog))
}

/** The browser makes everything outside the topmost modal dialog inert. */
export const topmostModal = (): HTMLElement | undefined => openModals.at(-1)

export function watchModals(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
