/** What makes the queue try to send. */
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
  /** Calls back after a number of milliseconds. @returns a function that cancels it */
  after(milliseconds: number, callback: () => void): () => void
}

/** What a drainer learned about the network, the session and the storage. */
export type ReplayNews =
  | { readonly type: 'reachable' }
  | { readonly type: 'unreachable' }
  | { readonly type: 'update-needed' }
  | { readonly type: 'storage-failed'; readonly error: unknown }
  | { readonly type: 'sign-in-needed'; readonly account: number | null }

/** How a round of sending ended, and how many milliseconds until something could be sent by itself (undefined = nothing waits). */
export interface DrainReport {
  readonly end: 'drained' | 'unreachable' | 'update-needed' | 'lost-lock' | 'storage-failed'
  readonly waitingMs: number | undefined
}

/** What has woken the queue since the last claim. */
export interface WakeFlags {
  /** There may be a network again: backoff ends. */
  readonly triggered: boolean
  /** There may be a session again, or a server that accepts this version of the app. */
  readonly resumes: boolean
}
