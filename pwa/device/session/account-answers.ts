import { useMemo } from 'react'
import { asSetting } from '../device-db.ts'
import { createQuestion, useAnswer, type Answered, type Kept, type AnswerCache, type When } from '../../sync/index.ts'
import { useSession } from './session.ts'
import { sessionState } from './session-state.ts'

const afterFailure: When<unknown> = { reachable: 'after failure' }

export interface AccountQuestion<T> {
  readonly call: (signal: AbortSignal) => Promise<T>
  /** Its name on the disk, until the account leaves the device. */
  readonly onDisk?: string
  /** Its name while the app is open and the account is signed in. */
  readonly inMemory?: string
  /** Of an answer that the server does not have this. */
  readonly missingStatuses?: readonly number[]
}

/**
 * Each account has its own question: no answer about another is shown or kept.
 * @param question the same object at every rendering
 * @param when likewise; null while no newer answer is needed
 */
export function useAccountAnswer<T>(question: AccountQuestion<T>, when: When<T> | null = afterFailure): Answered<T> {
  const userId = useSession().user?.id ?? null
  const asked = useMemo(
    () =>
      createQuestion({
        call: question.call,
        missingStatuses: question.missingStatuses ?? [],
        cache: userId === null ? {} : cacheOf(question, userId),
        isWanted: () => userIdNow() === userId,
      }),
    [question, userId],
  )
  return useAnswer(asked, userId === null ? null : when)
}

/** A hook for a question without parameters. */
export const accountAnswer = <T>(question: AccountQuestion<T>) =>
  function useThisAnswer(): Answered<T> {
    return useAccountAnswer(question)
  }

function cacheOf<T>({ onDisk, inMemory }: AccountQuestion<T>, userId: number): AnswerCache<T> {
  if (onDisk !== undefined) return asSetting(`user:${userId}/${onDisk}`)
  return inMemory === undefined ? {} : inMemoryOfAccount(inMemory)
}

const userIdNow = () => sessionState.get().user?.id ?? null

const mostInMemory = 40
const inMemory = new Map<string, Kept<unknown>>()
let inMemoryOf: number | null = null

function forgetOthers(): void {
  if (userIdNow() === inMemoryOf) return
  inMemory.clear()
  inMemoryOf = userIdNow()
}
sessionState.subscribe(forgetOthers)

/** Exported for its test. */
export function inMemoryOfAccount<T>(name: string) {
  return {
    readNow() {
      forgetOthers()
      return inMemory.get(name) as Kept<T> | undefined
    },
    keep(kept: Kept<T>) {
      forgetOthers()
      inMemory.delete(name)
      inMemory.set(name, kept)
      const [oldest] = inMemory.keys()
      if (inMemory.size > mostInMemory && oldest !== undefined) inMemory.delete(oldest)
    },
  } satisfies AnswerCache<T>
}
