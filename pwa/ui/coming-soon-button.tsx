import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Tooltip } from './tooltip.tsx'

/**
 * A button for what is not there yet. It stays in the Tab order, so that a keyboard reaches the reason too; the place it
 * stands in says "coming soon" for fingers.
 */
export function ComingSoonButton({ children, icon }: { children: ReactNode; icon?: ReactNode | undefined }) {
  return (
    <Tooltip hint="Coming soon">
      <Button
        variant="secondary"
        icon={icon}
        aria-disabled="true"
        className="pointer-events-auto! cursor-not-allowed border-dashed"
      >
        {children}
      </Button>
    </Tooltip>
  )
}
