import { Content, Portal, Provider, Root, Trigger } from '@radix-ui/react-tooltip'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/**
 * Stands around a screen that has tooltips (not around the app: visitors need none of it).
 * 700 ms until the first hint, 300 ms in which the next one follows at once.
 */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Provider>
  )
}

/** A hint for pointer and keyboard. Never the only place of a fact: fingers do not hover. */
export function Tooltip({ hint, children }: { hint: ReactNode; children: ReactNode }) {
  return (
    <Root>
      <Trigger asChild>{children}</Trigger>
      <Portal>
        <Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-xs rounded-lg bg-neutral px-3 py-1.5 text-sm text-neutral-content shadow-float"
        >
          {hint}
        </Content>
      </Portal>
    </Root>
  )
}

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
