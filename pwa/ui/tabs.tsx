import { Content, List, Root, Trigger } from '@radix-ui/react-tabs'
import type { FocusEvent, KeyboardEvent, PointerEvent, ReactNode } from 'react'

export interface Tab {
  value: string
  label: ReactNode
  content: ReactNode
  /** Keeps the hidden panel mounted, and with it typed text. */
  keep?: boolean | undefined
}

/** The library moves the focus on a press, which browsers take for the keyboard's: no ring under a finger. */
const quietWhenPressed = {
  onPointerDown: ({ currentTarget }: PointerEvent) => currentTarget.setAttribute('data-pressed', ''),
  onKeyDown: ({ currentTarget }: KeyboardEvent) => currentTarget.removeAttribute('data-pressed'),
  onBlur: ({ currentTarget }: FocusEvent) => currentTarget.removeAttribute('data-pressed'),
}

/** `value` and `onChange` control them; without these they start at the first. */
export function Tabs(props: {
  label: string
  tabs: Tab[]
  value?: string | undefined
  onChange?: ((value: string) => void) | undefined
}) {
  const { label, tabs, value, onChange } = props
  return (
    <Root value={value} defaultValue={tabs[0]?.value} onValueChange={onChange}>
      <List
        aria-label={label}
        className="relative mb-5 grid [scrollbar-width:none] auto-cols-[minmax(min-content,1fr)] grid-flow-col lg:auto-cols-[minmax(max-content,1fr)] gap-1 overflow-x-auto rounded-xl border border-base-300 bg-quiet-soft p-1"
      >
        {tabs.map((tab) => (
          <Trigger
            key={tab.value}
            value={tab.value}
            {...quietWhenPressed}
            className="min-h-11 cursor-pointer rounded-lg px-3 py-1.5 leading-tight wrap-normal font-medium text-muted transition-colors duration-150 hover:text-base-content data-pressed:outline-none data-[state=active]:bg-base-100 data-[state=active]:text-base-content data-[state=active]:shadow-lift"
          >
            {tab.label}
          </Trigger>
        ))}
      </List>
      {tabs.map((tab) => (
        <Content
          key={tab.value}
          value={tab.value}
          forceMount={tab.keep ? true : undefined}
          className="data-[state=inactive]:hidden"
        >
          {tab.content}
        </Content>
      ))}
    </Root>
  )
}
