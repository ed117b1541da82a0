import { useEffect, useEffectEvent, useState } from 'react'
import { readText, writeText } from '../../../browser/browser-storage.ts'
import { Kbd } from '../../../ui/badge.tsx'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

const shortcuts = {
  next: ['J', 'Next applicant'],
  previous: ['K', 'Previous applicant'],
  approve: ['A', 'Approve'],
  reject: ['R', 'Reject, or revoke an approval'],
  star: ['S', 'Star, or take the star away'],
  view: ['V', 'View everything they wrote'],
  undo: ['U', 'Undo the newest decision'],
  search: ['/', 'Search'],
  help: ['?', 'This sheet'],
} as const

type Action = keyof typeof shortcuts

const actions = new Map(Object.entries(shortcuts).map(([action, [key]]) => [key as string, action as Action]))

const storageKey = 'shortcuts'

interface Shortcuts {
  readonly on: boolean
  readonly turn: (on: boolean) => void
}

/**
 * Shortcuts are inactive during typing and under a dialog. They can be turned off, since dictation presses keys (WCAG
 * 2.1.4).
 */
export function useShortcuts(perform: Record<Action, () => void>): Shortcuts {
  const [on, setOn] = useState(() => readText(storageKey) !== 'off')
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = event.key.length === 1 && actions.get(event.key.toUpperCase())
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target
    if (target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role="menu"]')) return
    if (document.querySelector('dialog:modal')) return
    // A key that is held down walks through the list and decides once.
    if (event.repeat && action !== 'next' && action !== 'previous') return
    event.preventDefault()
    perform[action]()
  })
  useEffect(() => {
    if (!on) return
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [on])
  return {
    on,
    turn(next) {
      writeText(storageKey, next ? 'on' : 'off')
      setOn(next)
    },
  }
}

export function ShortcutSheet({ on, turn, onClose }: Shortcuts & { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" shape="box">
      <DefinitionList
        columns
        items={Object.values(shortcuts).map(([key, term]) => ({ term, detail: <Kbd>{key}</Kbd> }))}
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
