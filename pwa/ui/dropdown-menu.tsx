import {Content, Item, Label, Portal, Root, Separator, Trigger} from '@radix-ui/react-dropdown-menu';
import type {ReactNode} from 'react';
import {Link} from 'react-router-dom';

export type MenuEntry =
  | {label: ReactNode; to: string; icon?: ReactNode}
  | {label: ReactNode; onSelect: () => void; icon?: ReactNode; danger?: boolean; disabled?: boolean}
  | 'separator';

const row =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 py-2 outline-none select-none data-[highlighted]:bg-quiet-soft data-[disabled]:cursor-default data-[disabled]:text-muted';

/** A menu behind one button (`trigger` must pass on its ref and props: a Button or IconButton does). */
export function DropdownMenu({
  trigger,
  entries,
  heading,
  align = 'end',
}: {
  trigger: ReactNode;
  entries: MenuEntry[];
  heading?: ReactNode;
  align?: 'start' | 'end';
}) {
  // Not modal: the modal kind locks scrolling with an injected style tag, which the content security policy refuses.
  return (
    <Root modal={false}>
      <Trigger asChild>{trigger}</Trigger>
      <Portal>
        <Content
          align={align}
          sideOffset={8}
          collisionPadding={12}
          className="z-50 min-w-56 animate-enter-up rounded-box border border-base-300 bg-base-100 p-1.5 text-base-content shadow-float"
        >
          {heading && <Label className="truncate px-3 py-2 text-sm text-muted">{heading}</Label>}
          {entries.map((entry, index) => {
            if (entry === 'separator') return <Separator key={index} className="my-1.5 h-px bg-base-300" />;
            if ('to' in entry) {
              return (
                <Item key={index} asChild className={row}>
                  <Link to={entry.to}>
                    {entry.icon}
                    {entry.label}
                  </Link>
                </Item>
              );
            }
            return (
              <Item
                key={index}
                onSelect={entry.onSelect}
                disabled={entry.disabled}
                className={`${row} ${entry.danger ? 'text-error' : ''}`}
              >
                {entry.icon}
                {entry.label}
              </Item>
            );
          })}
        </Content>
      </Portal>
    </Root>
  );
}
