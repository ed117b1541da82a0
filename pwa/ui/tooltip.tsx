import { Content, Portal, Provider, Root, Trigger } from '@radix-ui/react-tooltip'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/**
 * Is around a screen with tooltips, not the app: visitors need none of it. The first hint takes 700 ms; within 300 ms
 * the next follows at once.
 */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Provider>
  )
}

/** Never the only source of a fact: fingers do not hover. */
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

/** In the Tab order, so that a keyboard reaches the reason; for fingers the surroundings say "coming soon". */
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
