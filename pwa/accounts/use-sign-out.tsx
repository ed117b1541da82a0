import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { User } from '#shared/accounts/account-calls.ts'
import type { SignOutQuestion } from './forms/sign-out-questions.tsx'
import { outbox, type SendProgress } from '../sync/index.ts'
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
  const [asking, setAsking] = useState<SignOutQuestion | null>(null)
  const [progress, setProgress] = useState<SendProgress | null>(null)
  const newest = useRef(new AbortController())
  const close = () => {
    newest.current.abort()
    setAsking(null)
  }

  /** Resolves with the reason of a failure, or null. */
  const leave = async (choice: Unsent): Promise<string | null> => {
    newest.current.abort()
    const mine = new AbortController()
    newest.current = mine
    try {
      await signOut({ unsent: choice, onProgress: setProgress, signal: mine.signal })
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
  const ask = async (always: boolean) => {
    // Asked of the disk: what is painted may be a moment behind.
    const waiting = user ? (await outbox.pendingFor(user.id)).filter(({ state }) => state !== 'acknowledged') : []
    const typed = user ? await (await import('../device/drafts.ts')).countDraftsOf(user.id) : 0
    const about = waiting.length > 0 ? 'unsent' : always ? 'wipe' : typed > 0 ? 'drafts' : null
    if (about === null) return void (await leave('discard'))
    await loadQuestions()
    setAsking({ about, unsent: waiting.length, drafts: typed })
  }
  return {
    start: () => void ask(false).catch(failed),
    wipe: () => void ask(true).catch(failed),
    dialog: asking && (
      <Suspense>
        <SignOutQuestions {...asking} progress={progress} onClose={close} onLeave={leave} />
      </Suspense>
    ),
  }
}
