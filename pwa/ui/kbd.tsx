import type { ReactNode } from 'react'

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="kbd min-h-7 min-w-7 border-edge font-sans text-sm">{children}</kbd>
}
