import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ApplicationRow } from '../../sync/replica/fold.ts'
import type { Entry } from '../../sync/queue/entry.ts'
import { applicationDocument } from '../../sync/testing/people.ts'
import { queuedEntry } from '../../sync/testing/queued-entry.ts'
import { ApplicationBadges, heldDecisions, undoOffer } from './decision-buttons.tsx'

function decided(seq: number, firstName: string, state: Entry['state'] = 'held'): ApplicationRow {
  const entry: Entry = { ...queuedEntry(String(seq), { args: {}, state }), seq }
  const application = applicationDocument(seq, 1, { firstName, lastName: 'Moss', status: 'approved' })
  return { application, syncState: 'on-this-phone', entry, entries: [entry] }
}

const [ana, ben, cleo] = [decided(1, 'Ana'), decided(2, 'Ben'), decided(3, 'Cleo')]
const held = heldDecisions([ana, ben, cleo])

it.each([
  ['the newest decision, by its person', null, undefined, 'Cleo Moss'],
  ['all that were decided together, by their count', { seqs: [2, 3] }, undefined, '2 people'],
  ['the newest when it came after a decision about many', { seqs: [1, 2] }, undefined, 'Cleo Moss'],
  ['nothing beside the Undo of the person who is shown', null, ana, undefined],
  ['the newest beside somebody whose decision has left', null, decided(4, 'Dan', 'sending'), 'Cleo Moss'],
] as const)('one Undo takes back %s', (_what, batch, shown, whom) => {
  expect(undoOffer(held, batch, shown)?.whom).toBe(whom)
})

it('without decisions in their undo time there is no Undo', () => {
  expect(undoOffer([], null)).toBeNull()
})

it.each([
  ['names a status', 'confirmed', false, 'Pending'],
  ['names none where the list does', 'confirmed', true, ''],
  ['says there what waits on this device', 'on-this-phone', true, 'saved on this device'],
] as const)('a card %s', (_what, syncState, withoutStatus, words) => {
  const row: ApplicationRow = { application: applicationDocument(9, 1), syncState, entry: null, entries: [] }
  const html = renderToStaticMarkup(<ApplicationBadges row={row} withoutStatus={withoutStatus} />)
  expect(html.replace(/<[^>]*>/g, '')).toBe(words)
})
