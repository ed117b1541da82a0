import type { AccountDocument } from '#shared/api/replication.ts'
import { useObservable } from '../api/observable.ts'
import { replicaState } from './replica-state.ts'

/** The organizer's plan as the server last said it. */
export type Account =
  | {
      readonly status: 'loading'
      readonly account: null
      readonly plan: null
      readonly subscription: null
      readonly canCreateEvent: null
    }
  | {
      readonly status: 'ready'
      readonly account: AccountDocument
      readonly plan: AccountDocument['plan']
      readonly subscription: AccountDocument['subscription']
      /** The server decides; this is its newest word, and its reason when the answer is no. */
      readonly canCreateEvent: AccountDocument['canCreateEvent']
    }

const loading: Account = { status: 'loading', account: null, plan: null, subscription: null, canCreateEvent: null }

/** The signed-in organizer's plan, subscription and whether another event can be created. */
export function useAccount(): Account {
  const { account } = useObservable(replicaState)
  if (account === null) return loading
  return {
    status: 'ready',
    account,
    plan: account.plan,
    subscription: account.subscription,
    canCreateEvent: account.canCreateEvent,
  }
}
