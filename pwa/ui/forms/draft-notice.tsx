import { useState } from 'react'
import { useDraft, type Draft } from '../../device/drafts.ts'
import { Alert } from '../alert.tsx'
import { Button } from '../button.tsx'

export interface FormDraft<T> extends Draft<T> {
  /** This is the form's React key, which changes when the form starts over. */
  readonly turn: number
  /** It is null without a draft and after starting over. */
  readonly restored: T | null
  readonly startOver: () => void
}

export function useFormDraft<T>(key: string): FormDraft<T> {
  const draft = useDraft<T>(key)
  const [turn, setTurn] = useState(0)
  return {
    ...draft,
    turn,
    restored: turn === 0 ? draft.found : null,
    startOver() {
      void draft.clear()
      setTurn(turn + 1)
    },
  }
}

const momentFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** 'Nov 21, 10:42 AM' */
export const formatDraftMoment = (instant: string): string => momentFormat.format(new Date(instant))

export function DraftNotice({ draft }: { draft: Pick<FormDraft<unknown>, 'restored' | 'foundAt' | 'startOver'> }) {
  if (draft.restored === null || draft.foundAt === null) return null
  return (
    <Alert
      className="mb-4"
      variant="quiet"
      action={
        <Button variant="secondary" size="small" onClick={draft.startOver}>
          Start over
        </Button>
      }
    >
      This is your draft of {formatDraftMoment(draft.foundAt)}, kept on this device.
    </Alert>
  )
}

export function DraftKept({ kept }: { kept: 'memory' | 'saved' | 'failed' }) {
  if (kept === 'failed') {
    return (
      <p className="text-sm font-medium text-error">
        This device could not keep the draft. Leave this page open until you have saved.
      </p>
    )
  }
  return <p className="text-sm text-muted">What you type is kept on this device.</p>
}
