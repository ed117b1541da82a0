import { useMemo } from 'react'
import { asSetting } from '../device-db.ts'
import { questions } from '../../sync/index.ts'
import { accountPrefix } from './acting.ts'
import { useSession } from './session.ts'
import { sessionState } from './session-state.ts'

const afterFailure: questions.RefetchOptions<unknown> = { reachable: 'after failure' }

export interface AccountQuestion<T> {
  readonly call: (signal: AbortSignal) => Promise<T>
  /** The disk keeps it under this name, until the account leaves the device. */
  readonly onDisk?: string
  /** Its name while the app is open and the account is signed in. */
  readonly inMemory?: string
  /** These statuses mean that the resource does not exist. */
  readonly missingStatuses?: readonly number[]
}

/**
 * Each account has its own question: no answer about another is shown or kept.
 * @param question the same object at every rendering
 * @param when likewise; null while no newer answer is needed
 */
export function useAccountAnswer<T>(
  question: AccountQuestion<T>,
  when: questions.RefetchOptions<T> | null = afterFailure,
): questions.Answered<T> {
  const userId = useSession().user?.id ?? null
  const asked = useMemo(
    () =>
      questions.createQuestion({
        call: question.call,
        missingStatuses: question.missingStatuses ?? [],
        cache: userId === null ? {} : cacheOf(question, userId),
        isWanted: () => userIdNow() === userId,
      }),
    [question, userId],
  )
  return questions.useAnswer(asked, userId === null ? null : when)
}

/** Makes a hook for a question without parameters. */
export const accountAnswer = <T>(question: AccountQuestion<T>) =>
  function useThisAnswer(): questions.Answered<T> {
    return useAccountAnswer(question)
  }

function cacheOf<T>({ onDisk, inMemory }: AccountQuestion<T>, userId: number): questions.AnswerCache<T> {
  if (onDisk !== undefined) return asSetting(`${accountPrefix(userId)}${onDisk}`)
  return inMemory === undefined ? {} : inMemoryOfAccount(inMemory)
}

const userIdNow = () => sessionState.get().user?.id ?? null

const maxInMemory = 40
const inMemory = new Map<string, questions.Kept<unknown>>()
let inMemoryOf: number | null = null

function forgetOthers(): void {
  if (userIdNow() === inMemoryOf) return
  inMemory.clear()
  inMemoryOf = userIdNow()
}
sessionState.subscribe(forgetOthers)

/** A test needs it, too. */
export function inMemoryOfAccount<T>(name: string) {
  return {
    readNow() {
      forgetOthers()
      return inMemory.get(name) as questions.Kept<T> | undefined
    },
    keep(kept: questions.Kept<T>) {
      forgetOthers()
      inMemory.delete(name)
      inMemory.set(name, kept)
      const [oldest] = inMemory.keys()
      if (inMemory.size > maxInMemory && oldest !== undefined) inMemory.delete(oldest)
    },
  } satisfies questions.AnswerCache<T>
}
