import { useEffect, useEffectEvent, useState } from 'react'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'

export interface KeyActions {
  next: () => void
  previous: () => void
  approve: () => void
  reject: () => void
  star: () => void
  view: () => void
  undo: () => void
  search: () => void
  help: () => void
}

const keys: Record<string, keyof KeyActions> = {
  j: 'next',
  k: 'previous',
  a: 'approve',
  r: 'reject',
  s: 'star',
  v: 'view',
  u: 'undo',
  '/': 'search',
  '?': 'help',
}

const storageKey = 'shortcuts'

/**
 * Single-key shortcuts for the list of applicants. They rest while someone types, while a dialog is open, and for good
 * when turned off: to a person who dictates, every word is a row of keys (WCAG 2.1.4).
 */
export function useShortcuts(actions: KeyActions): { readonly on: boolean; readonly turn: (on: boolean) => void } {
  const [on, setOn] = useState(() => localStorage.getItem(storageKey) !== 'off')
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target
    if (target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role="menu"]')) return
    if (document.querySelector('dialog:modal')) return
    event.preventDefault()
    actions[action]()
  })
  useEffect(() => {
    if (!on) return
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [on])
  return {
    on,
    turn(next) {
      localStorage.setItem(storageKey, next ? 'on' : 'off')
      setOn(next)
    },
  }
}

const lines: [string, string[]][] = [
  ['Next applicant', ['J']],
  ['Previous applicant', ['K']],
  ['Approve', ['A']],
  ['Reject, or revoke an approval', ['R']],
  ['Star, or take the star away', ['S']],
  ['View everything they wrote', ['V']],
  ['Undo the newest decision', ['U']],
  ['Search', ['/']],
  ['This sheet', ['?']],
]

/** What the keys do, and the switch that turns them off. */
export function ShortcutSheet({
  open,
  onClose,
  on,
  turn,
}: {
  open: boolean
  onClose: () => void
  on: boolean
  turn: (on: boolean) => void
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" shape="box">
      <DefinitionList
        columns
        items={lines.map(([term, pressed]) => ({
          term,
          detail: pressed.map((key) => <Kbd key={key}>{key}</Kbd>),
        }))}
      />
      <div className="mt-4">
        <CheckboxField
          label="Single-key shortcuts"
          hint="Turn them off when you dictate or when keys are pressed by accident."
          look="switch"
          checked={on}
          onChange={(event) => turn(event.target.checked)}
        />
      </div>
    </Dialog>
  )
}
