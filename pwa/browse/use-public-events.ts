import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { useAnswer, type Question, type When } from '../api/question.ts'
import { beaconsQuestion, eventQuestion, publicOf } from './public-source.ts'

/**
 * Something public, painted from this device first and from the network as soon as it answers.
 * `loading`: nothing here yet. `ready`: `value` is shown; `asOf` (ISO) says when the server said so, and `stale` that the newest
 * attempt to ask it failed. `unreachable`: nothing here and no answer. `missing`: the server does not have it.
 */
export type Public<T> =
  | {
      readonly status: 'loading' | 'unreachable' | 'missing'
      readonly value: null
      readonly asOf: null
      readonly stale: false
    }
  | { readonly status: 'ready'; readonly value: T; readonly asOf: string; readonly stale: boolean }

/** Asked when the page opens; whoever reads on is not interrupted by a newer one. */
const when: When<unknown> = {}

function usePublic<T>(question: Question<T>): Public<T> & { readonly reload: () => void } {
  const state = useAnswer(question, when)
  return { ...publicOf(state), reload: () => void state.ask() }
}

/** One public event, upcoming or past. */
export function usePublicEvent(id: number): Public<PublicEvent> & { readonly reload: () => void } {
  return usePublic(eventQuestion(id))
}

/** The approved Beacons of an event. */
export function useBeacons(eventId: number): Public<readonly PublicBeacon[]> & { readonly reload: () => void } {
  return usePublic(beaconsQuestion(eventId))
}
