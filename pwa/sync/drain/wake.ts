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
  /** Another page or the worker was woken while this one may be sending. */
  | 'elsewhere'

export interface Timers {
  after(milliseconds: number, callback: () => void): () => void
}

export type ReplayNews =
  | { readonly type: 'reachable' }
  | { readonly type: 'unreachable' }
  | { readonly type: 'update-needed' }
  | { readonly type: 'storage-failed'; readonly error: unknown }
  | { readonly type: 'sign-in-needed'; readonly account: number | null }

/** `waitingMs`: until something could be sent by itself; undefined when nothing waits. */
export interface DrainReport {
  readonly end: 'drained' | 'unreachable' | 'update-needed' | 'lost-lock' | 'storage-failed'
  readonly waitingMs: number | undefined
}

export interface WakeFlags {
  /** There may be a network again: backoff ends. */
  readonly triggered: boolean
  /** There may be a session again, or a server that accepts this version of the app. */
  readonly resumes: boolean
}
