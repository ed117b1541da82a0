import { useState, type ReactNode } from 'react'
import type { Decision } from '#shared/applications/decide.ts'
import type { ApplicationRow } from '../../../sync/index.ts'
import type { ApplicantList } from '../application-row.tsx'
import { BulkResults, BulkSheet } from '../bulk-decision.tsx'
import type { Batch, DecisionActions } from '../decision-buttons.tsx'

interface BulkTerms extends Pick<ApplicantList, 'isOver'> {
  readonly actions: DecisionActions
  readonly byId: ReadonlyMap<number, ApplicationRow>
  readonly chosen: readonly ApplicationRow[]
  /** It is called once the decisions are on this device. */
  readonly onDone: () => void
}

/** Asks about the selected people, decides about all of them, and shows what became of each. */
export function useBulkDecision({ actions, byId, chosen, isOver, onDone }: BulkTerms): {
  readonly batch: Batch | null
  readonly ask: (to: Decision) => void
  readonly dialogs: ReactNode
} {
  const [batch, setBatch] = useState<Batch | null>(null)
  const [asking, setAsking] = useState<Decision | null>(null)
  const [resulting, setResulting] = useState(false)
  async function decideMany(to: Decision, about: readonly ApplicationRow[], tell: boolean) {
    const seqs = await actions.onDecideMany(about, to, tell)
    setAsking(null)
    // Nothing was saved, as a toast says: the selection stays.
    if (seqs.length === 0) return
    setBatch({ to, seqs, ids: about.map(({ application }) => application.id) })
    onDone()
    setResulting(true)
  }
  return {
    batch,
    ask: setAsking,
    dialogs: (
      <>
        {asking && (
          <BulkSheet
            chosen={chosen}
            to={asking}
            isOver={isOver}
            onClose={() => setAsking(null)}
            onConfirm={(about, tell) => void decideMany(asking, about, tell)}
          />
        )}
        {resulting && batch && (
          <BulkResults batch={batch} byId={byId} onUndo={actions.onUndoMany} onClose={() => setResulting(false)} />
        )}
      </>
    ),
  }
}
