import { Content, Item, Label, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

interface MenuRow {
  label: string
  icon?: ReactNode
  separated?: boolean | undefined
}

export type MenuEntry = MenuRow &
  ({ to: string } | { elsewhere: string } | { onSelect: () => void; disabled?: boolean | undefined })

const row =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 py-2 outline-none select-none data-[highlighted]:bg-quiet-soft data-[disabled]:cursor-default data-[disabled]:text-muted'

/** `trigger` must pass on its ref and props; Button and IconButton do. */
export function DropdownMenu(props: {
  trigger: ReactNode
  entries: MenuEntry[]
  heading?: ReactNode | undefined
  align?: 'start' | 'end' | undefined
  isOpenAtFirst?: boolean | undefined
}) {
  const { trigger, entries, heading, align = 'end', isOpenAtFirst = false } = props
  // The menu is inline, not in a portal: it stays in its landmark and in the reading order, and Radix positions it
  // `fixed`. It is not modal, because a modal menu locks scrolling with an injected style tag, which the content
  // security policy refuses.
  return (
    <Root modal={false} defaultOpen={isOpenAtFirst}>
      <Trigger asChild>{trigger}</Trigger>
      <Content
        align={align}
        sideOffset={8}
        collisionPadding={12}
        className="z-50 min-w-56 animate-enter-up rounded-box border border-base-300 bg-base-100 p-1.5 text-base-content shadow-float"
      >
        {heading && <Label className="truncate px-3 py-2 text-sm text-muted">{heading}</Label>}
        {entries.map((entry) => (
          <Fragment key={entry.label}>
            {entry.separated && <Separator className="my-1.5 h-px bg-base-300" />}
            {'to' in entry ? (
              <Item asChild className={row}>
                <Link to={entry.to}>
                  {entry.icon}
                  {entry.label}
                </Link>
              </Item>
            ) : 'elsewhere' in entry ? (
              <Item asChild className={row}>
                <a href={entry.elsewhere} target="_blank" rel="noopener noreferrer">
                  {entry.icon}
                  {entry.label}
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              </Item>
            ) : (
              <Item onSelect={entry.onSelect} disabled={entry.disabled ?? false} className={row}>
                {entry.icon}
                {entry.label}
              </Item>
            )}
          </Fragment>
        ))}
      </Content>
    </Root>
  )
}
