import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { User } from '#shared/accounts/account-calls.ts'
import type { SignOutQuestion } from './forms/sign-out-questions.tsx'
import { outbox, pendingEntries, type SendProgress } from '../sync/index.ts'
import { paths } from '../paths.ts'
import { signOut, type Unsent } from '../device/session/session.ts'
import { toast } from '../ui/toast.ts'

/** Lazy: a first visit has no account to sign out. */
const loadQuestions = () => import('./forms/sign-out-questions.tsx')
const SignOutQuestions = lazy(async () => ({ default: (await loadQuestions()).SignOutQuestions }))

function failed(error: unknown): string {
  const description = error instanceof Error ? error.message : String(error)
  toast({ variant: 'destructive', title: 'Logout failed', description })
  return description
}

/** Asks first when something would be lost with this device. */
export function useSignOut(user: User | null): {
  readonly start: () => void
  /** The same, always with a question: everything on this device is deleted. */
  readonly wipe: () => void
  readonly dialog: ReactNode
} {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<(SignOutQuestion & { readonly keys: readonly string[] }) | null>(null)
  const [progress, setProgress] = useState<SendProgress | null>(null)
  const newest = useRef(new AbortController())
  const close = () => {
    newest.current.abort()
    setAsking(null)
  }

  /** Reads the disk, because what is painted may be a moment behind it, and what is not on the disk yet. */
  const listWaiting = async () => {
    const stored = user ? await outbox.pendingFor(user.id) : []
    const entries = [...stored.filter(({ state }) => state !== 'acknowledged'), ...(pendingEntries.get().writing ?? [])]
    return [...new Set(entries.map(({ key }) => key))]
  }
  /** Opens the question, if there is one. */
  const ask = async (keys: readonly string[], always: boolean): Promise<boolean> => {
    const drafts = user ? await (await import('../device/drafts.ts')).countDraftsOf(user.id) : 0
    const about = keys.length > 0 ? 'unsent' : always ? 'wipe' : drafts > 0 ? 'drafts' : null
    if (about === null) return false
    await loadQuestions()
    setAsking({ about, unsent: keys.length, drafts, keys })
    return true
  }
  /**
   * Resolves with the reason of a failure, or null.
   * @param asked are the keys of the changes that the person knows of: others are not discarded
   */
  const leave = async (choice: Unsent, asked: readonly string[]): Promise<string | null> => {
    newest.current.abort()
    const mine = new AbortController()
    newest.current = mine
    try {
      const waiting = choice === 'discard' ? await listWaiting() : []
      if (waiting.some((key) => !asked.includes(key)) && (await ask(waiting, false)))
        return 'Something was changed after you were asked. Please choose again.'
      await signOut({ unsent: choice, discards: asked, onProgress: setProgress, signal: mine.signal })
      setAsking(null)
      toast({ title: 'Logged out', description: 'You have been successfully logged out.' })
      // A protected page has led there already.
      if (location.pathname !== paths.home) await navigate(paths.home)
      return null
    } catch (error) {
      return error === mine.signal.reason ? null : failed(error)
    } finally {
      if (newest.current === mine) setProgress(null)
    }
  }
  const start = async (always: boolean) => {
    if (!(await ask(await listWaiting(), always))) await leave('discard', [])
  }
  return {
    start: () => void start(false).catch(failed),
    wipe: () => void start(true).catch(failed),
    dialog: asking && (
      <Suspense>
        <SignOutQuestions
          {...asking}
          progress={progress}
          onClose={close}
          onLeave={(choice) => leave(choice, asking.keys)}
        />
      </Suspense>
    ),
  }
}
