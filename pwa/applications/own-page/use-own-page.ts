import { useMemo } from 'react'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { call } from '../../api/call.ts'
import { createQuestion, useAnswer, type Question, type When } from '../../api/question.ts'
import { deleteSetting, readSetting, writeSetting } from '../../device/device-db.ts'
import { ownApplicationSetting } from '../../device/forget-application.ts'
import { forgottenTokens, isForgotten } from '../../device/forgotten-tokens.ts'
import type { OwnApplications } from '../own-application.ts'
import { foldOwnChanges, knownFromReceipts, knownFromSent, newestKnown, ownChanges } from './own-page-state.ts'
import type { KnownApplication, OwnPageState } from './own-page-state.ts'

/** What an applicant's own page shows. `missing`: the server has no application under this link. */
export type OwnPage =
  | { readonly status: 'loading' | 'missing' | 'unreachable'; readonly reload: () => void }
  | {
      readonly status: 'ready'
      readonly state: OwnPageState
      readonly asOf: string
      /** The newest attempt to ask the server failed. */
      readonly stale: boolean
      readonly reload: () => void
    }

const when: When<OwnApplication> = { visible: true, reachable: 'always' }

/** Kept under the token, also when the page is left meanwhile, until it is removed from this device. */
function questionOf(token: string): Question<OwnApplication> {
  const setting = ownApplicationSetting(token)
  return createQuestion<OwnApplication>({
    call: () => call('getOwnApplication', { applicationToken: token }),
    missingStatuses: [404],
    // Removed from this device while the server was asked: nothing is written down any more.
    isWanted: () => !isForgotten(token, forgottenTokens.get()),
    goesOn: true,
    place: {
      async read() {
        const kept = await readSetting<KnownApplication>(setting)
        return kept && { value: kept.application, asOf: kept.asOf }
      },
      keep: ({ value: application, asOf }) => writeSetting(setting, { application, asOf } satisfies KnownApplication),
      forget: () => deleteSetting(setting),
    },
  })
}

/**
 * The application that a token opens: painted from this device, and asked of the server on arrival, when the page is shown
 * again, when there is a network again, and when a change has gone out.
 */
export function useOwnPage(token: string, eventId: number, { disk, sent }: OwnApplications): OwnPage {
  const question = useMemo(() => questionOf(token), [token])
  const { answer, asOf, failure, ask } = useAnswer(question, when)
  const reload = () => void ask()
  if (failure?.kind === 'missing') return { status: 'missing', reload }
  const kept = answer !== null && asOf !== null ? { application: answer, asOf } : null
  const mine = sent.find((candidate) => candidate.token === token)
  const known = newestKnown(kept, knownFromReceipts(disk.receipts, token), mine && knownFromSent(eventId, mine))
  if (!known) return { status: failure ? 'unreachable' : 'loading', reload }
  const state = foldOwnChanges(known.application, ownChanges(disk.entries, known.application.id))
  return { status: 'ready', state, asOf: known.asOf, stale: failure !== null, reload }
}
