export type WakeReason =
  | 'enqueue'
  | 'page-start'
  | 'online'
  | 'visible'
  | 'stream-opened'
  | 'timer'
  | 'sync'
  | 'activate'
  | 'push'
  | 'sign-in'
  /** A person asked for it here: this page takes the lead. */
  | 'asked'

export interface Timers {
  after(milliseconds: number, callback: () => void): () => void
}

export type ReplayNews =
  | { readonly type: 'reachable' }
  | { readonly type: 'unreachable' }
  | { readonly type: 'update-needed' }
  | { readonly type: 'storage-failed'; readonly error: unknown }
  | { readonly type: 'sign-in-needed'; readonly account: number | null }

/**
 * `not-leading` means that another context leads and was asked to drain, or that this one was stopped. Something could
 * be sent automatically after `waitingMs`; undefined means that nothing waits.
 */
export interface DrainReport {
  readonly end: 'drained' | 'unreachable' | 'update-needed' | 'not-leading' | 'storage-failed'
  readonly waitingMs: number | undefined
}

export interface WakeFlags {
  /** There may be a network again: backoff ends. */
  readonly triggered: boolean
  /** There may be a session again, or a server that accepts this version of the app. */
  readonly resumes: boolean
}
