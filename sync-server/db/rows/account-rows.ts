export interface UserRow {
  id: number
  username: string
  email: string
  passwordHash: string
  organizationName: string | null
  stripeCustomerId: string | null
  isAdmin: boolean
  /** When the address was last shown to be theirs; null while it is only what a user typed. */
  emailVerifiedAt: Date | null
  /** When a forgotten password was last replaced; null when never. */
  passwordChangedAt: Date | null
  createdAt: Date
  /** Whether they want to be mailed about new applications where no device alerts them. */
  mailNewApplications: boolean
  /** What a seeded account is in the demo; null for everybody else's. */
  demoRole: 'organizer' | 'admin' | null
  /** Since when it admits no sign-in, whatever the password; null for an account in use. */
  closedAt: Date | null
  /** Whether it was made on a server that was no demo: beside it there is no demo. */
  madeLive: boolean
}

/** A link in a mail that acts for an account, once. */
export interface AccountLinkRow {
  /** 32 random bytes, of which its token is made; alone they open nothing. */
  id: string
  tokenHash: string
  purpose: 'reset' | 'verify' | 'change'
  userId: number
  /** The address it was sent to: the user who has the link reads mail there. */
  email: string
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  /** A newer link of the same purpose exists, or the purpose is gone. */
  replacedAt: Date | null
}

export interface SessionRow {
  /** Hash of the cookie's 32 random bytes; the bytes themselves are never stored. */
  idHash: string
  /** By which its owner names it. */
  id: number
  userId: number
  data: Record<string, unknown>
  deviceId: string | null
  deviceName: string | null
  createdAt: Date
  lastSeenAt: Date
  /** Idle limit, moved forward while the session is used. */
  expiresAt: Date
  /** Hard limit, never moved. */
  absoluteExpiresAt: Date
  revokedAt: Date | null
}

/** A browser in which an account was used before. */
export interface KnownBrowserRow {
  userId: number
  idHash: string
  seenAt: Date
}

/** How often a wrong password was tried in an hour. */
export interface FailedSignInsRow {
  /** null: for addresses without an account. */
  userId: number | null
  hour: Date
  times: number
  lastAt: Date
}
