import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { User } from '#shared/api/accounts.ts'
import { draftsGo, SignOutDialog } from './forms/sign-out-dialog.tsx'
import { outbox } from './outbox/outbox.ts'
import { paths } from './paths.ts'
import { signOut, type SignOutProgress, type Unsent } from './session/session.ts'
import { ConfirmDialog } from './ui/confirm-dialog.tsx'
import { toast } from './ui/toast.ts'

/** Signing out: at once when nothing is lost with this device, else after a question. */
export function useSignOut(user: User | null): {
  readonly start: () => void
  /** The same, but never without a question: what is on this device goes. */
  readonly wipe: () => void
  readonly dialog: ReactNode
} {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'unsent' | 'drafts' | 'wipe' | null>(null)
  const [unsent, setUnsent] = useState(0)
  const [drafts, setDrafts] = useState(0)
  const [leaving, setLeaving] = useState(false)
  const [progress, setProgress] = useState<SignOutProgress | null>(null)
  const close = () => setAsking(null)

  /** Answers why it failed, or null. */
  const leave = async (choice: Unsent): Promise<string | null> => {
    setLeaving(true)
    try {
      await signOut({ unsent: choice, onProgress: setProgress })
      close()
      toast({ title: 'Logged out', description: 'You have been successfully logged out.' })
      await navigate(paths.home)
      return null
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error)
      toast({ variant: 'destructive', title: 'Logout failed', description })
      return description
    } finally {
      setLeaving(false)
      setProgress(null)
    }
  }
  const ask = async (always: boolean) => {
    // Asked of the disk: what is painted may be a moment behind.
    const waiting = user ? (await outbox.pendingFor(user.id)).filter(({ state }) => state !== 'acknowledged') : []
    const typed = user ? await (await import('./device/drafts.ts')).countDraftsOf(user.id) : 0
    setUnsent(waiting.length)
    setDrafts(typed)
    if (waiting.length > 0) setAsking('unsent')
    else if (always) setAsking('wipe')
    else if (typed > 0) setAsking('drafts')
    else await leave('discard')
  }
  return {
    start: () => void ask(false),
    wipe: () => void ask(true),
    dialog: (
      <>
        <SignOutDialog
          open={asking === 'unsent'}
          unsent={unsent}
          drafts={drafts}
          progress={progress}
          onClose={close}
          onChoose={leave}
        />
        <ConfirmDialog
          open={asking === 'wipe'}
          onClose={close}
          onConfirm={() => void leave('discard')}
          title="Wipe this device?"
          confirmLabel="Wipe and Sign Out"
          pending={leaving}
          pendingText="Wiping..."
        >
          You are signed out here. Your events and applicants leave this device, and its alerts end. They are on the
          server and come back when you sign in.{drafts > 0 && ` ${draftsGo(drafts)}`}
        </ConfirmDialog>
        <ConfirmDialog
          open={asking === 'drafts'}
          onClose={close}
          onConfirm={() => void leave('discard')}
          title={drafts === 1 ? 'Sign out and delete your draft?' : 'Sign out and delete your drafts?'}
          confirmLabel="Sign Out"
          pending={leaving}
          pendingText="Signing out..."
        >
          {draftsGo(drafts)}
        </ConfirmDialog>
      </>
    ),
  }
}
