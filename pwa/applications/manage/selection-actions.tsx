import type { Decision } from '#shared/applications/decide.ts'
import type { ApplicationRow } from '../../sync/index.ts'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, type MenuEntry } from '../../ui/dropdown-menu.tsx'
import { SelectionBar } from '../../ui/floating-bars.tsx'
import type { ApplicantList } from './application-row.tsx'
import type { Selection } from './list/list-state.ts'

interface SelectionActionsProps extends Pick<ApplicantList, 'onMessage' | 'onPlace'> {
  readonly selection: Selection
  readonly chosen: readonly ApplicationRow[]
  /** The list shows these people. */
  readonly shown: readonly number[]
  readonly raised: boolean
  readonly onAsk: (to: Decision) => void
}

/** Offers what can be done with the people who are selected. */
export function SelectionActions(props: SelectionActionsProps) {
  const { selection, chosen, shown, raised, onAsk, onMessage, onPlace } = props
  const isEmpty = chosen.length === 0
  const hasAll = chosen.length === shown.length
  return (
    <SelectionBar
      label={`${chosen.length} selected`}
      raised={raised}
      onClose={selection.stop}
      action={
        <Button variant="ghost" size="small" onClick={() => selection.choose(hasAll ? [] : shown)}>
          {hasAll && shown.length > 0 ? 'Select none' : `Select all ${shown.length}`}
        </Button>
      }
    >
      {onMessage && (
        <DropdownMenu
          trigger={
            <Button variant="secondary" disabled={isEmpty}>
              More
            </Button>
          }
          entries={entriesOf(chosen, onMessage, onPlace)}
        />
      )}
      <Button variant="secondary" aria-disabled={isEmpty} onClick={() => !isEmpty && onAsk('rejected')}>
        Reject
      </Button>
      <Button aria-disabled={isEmpty} onClick={() => !isEmpty && onAsk('approved')}>
        Approve
      </Button>
    </SelectionBar>
  )
}

const idsOf = (rows: readonly ApplicationRow[]) => rows.map(({ application }) => application.id)

function entriesOf(
  chosen: readonly ApplicationRow[],
  onMessage: NonNullable<ApplicantList['onMessage']>,
  onPlace: ApplicantList['onPlace'],
): MenuEntry[] {
  const beacons = chosen.filter(({ application }) => application.status === 'approved')
  const message = { label: 'Write a message', onSelect: () => onMessage(idsOf(chosen)) }
  if (!onPlace) return [message]
  return [message, { label: 'Give a post', disabled: beacons.length === 0, onSelect: () => onPlace(idsOf(beacons)) }]
}
