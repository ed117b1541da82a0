import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { Decision } from '#shared/applications/decide.ts'
import { idFrom } from '../../../paths.ts'
import type { ApplicationRow } from '../../../sync/index.ts'
import type { DecisionActions } from '../decision-buttons.tsx'
import { nextToReview } from '../shown-applicant.ts'

/** Keeps whose row is the current one, and whether everything they wrote is shown. An alert's address names a person. */
export function useViewing() {
  const [address] = useSearchParams()
  const openId = idFrom(address.get('application') ?? undefined)
  const [currentId, setCurrentId] = useState(openId)
  const [isViewing, setViewing] = useState(openId !== null)
  const { key: arrival } = useLocation()
  const [followed, setFollowed] = useState(arrival)
  if (followed !== arrival) {
    setFollowed(arrival)
    if (openId !== null) {
      setCurrentId(openId)
      setViewing(true)
    }
  }
  const review = useCallback((id: number) => {
    setCurrentId(id)
    setViewing(true)
  }, [])
  return { currentId, setCurrentId, isViewing, setViewing, review }
}

interface WalkTerms {
  /** This is the list's element, whose rows have `data-row`. */
  readonly root: RefObject<HTMLElement | null>
  readonly shown: readonly number[]
  readonly byId: ReadonlyMap<number, ApplicationRow>
  /** Whoever is viewed has a panel next to the list, and no dialog over it. */
  readonly isWide: boolean
}

/** Goes from row to row. The list scrolls, and the focus follows, once nothing covers them. */
export function useWalk(viewing: ReturnType<typeof useViewing>, { root, shown, byId, isWide }: WalkTerms) {
  const { currentId, setCurrentId, isViewing, setViewing } = viewing
  const follow = useRef(false)
  const place = currentId === null ? -1 : shown.indexOf(currentId)
  useLayoutEffect(() => {
    if (!follow.current || (isViewing && !isWide)) return
    follow.current = false
    const row = root.current?.querySelector(`[data-row="${currentId}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    // Enter then opens the applicant, and a screen reader says the name.
    if (!document.activeElement?.closest('[data-details]'))
      row?.querySelector<HTMLElement>('[data-view]')?.focus({ preventScroll: true })
  })
  function show(id: number) {
    follow.current = true
    setCurrentId(id)
  }
  function move(step: 1 | -1) {
    const next = place === -1 ? shown.at(step === 1 ? 0 : -1) : shown[place + step]
    if (next !== undefined) show(next)
  }
  function close() {
    follow.current = true
    setViewing(false)
  }
  const current = currentId === null ? undefined : byId.get(currentId)
  return { place, current, viewed: isViewing ? current : undefined, show, move, close }
}

const doublePressMs = 500

interface ReviewTerms extends Pick<WalkTerms, 'shown' | 'byId' | 'isWide'> {
  readonly actions: DecisionActions
  readonly walk: ReturnType<typeof useWalk>
}

/** Decides about whoever is viewed and goes on to the next who waits. */
export function useReview({ actions, walk, shown, byId, isWide }: ReviewTerms) {
  const { place, viewed, show, close } = walk
  const pressed = useRef<Decision | null>(null)
  function decide(row: ApplicationRow, to: Decision, tell: boolean) {
    actions.onDecide(row, to, tell)
    if (!viewed || row.application.status !== 'pending') return
    const next = nextToReview(shown, byId, place)
    if (next !== undefined) show(next)
    else if (!isWide) close()
  }
  function undo(row: ApplicationRow) {
    pressed.current = null
    actions.onUndo(row)
    if (viewed) show(row.application.id)
  }
  const viewActions: DecisionActions = {
    ...actions,
    onUndo: undo,
    onDecide: (row, to, tell = true) => {
      // The second press of a double one was not meant for the next applicant.
      if (pressed.current === to) return
      pressed.current = to
      setTimeout(() => (pressed.current = null), doublePressMs)
      decide(row, to, tell)
    },
  }
  return { decide, undo, viewActions }
}
