export interface UserRow {
  id: number
  username: string
  email: string
  passwordHash: string
  organizationName: string | null
  /** Confirmed, and public. */
  contactEmail: string | null
  stripeCustomerId: string | null
  isAdmin: boolean
  /** When the address was last shown to be theirs. */
  emailVerifiedAt: Date | null
  passwordChangedAt: Date | null
  createdAt: Date
  mailNewApplications: boolean
  /** Null outside the demo. */
  demoRole: 'organizer' | 'admin' | null
  /** Since when it admits no sign-in; null for an account in use. */
  closedAt: Date | null
  /** Made on a server that was no demo: beside it there is no demo. */
  madeLive: boolean
  /** As its owner asked; null for every other account. */
  deletesAt: Date | null
}

export interface AccountLinkRow {
  /** 32 random bytes from which its token is made; alone they open nothing. */
  id: string
  tokenHash: string
  purpose: 'reset' | 'verify' | 'change' | 'contact'
  userId: number
  /** The address it was sent to: its user reads mail there. */
  email: string
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  /** A newer link of the same purpose exists, or the purpose is gone. */
  replacedAt: Date | null
}

export interface SessionRow {
  /** Of the cookie's 32 random bytes, which are never stored. */
  idHash: string
  /** Its owner's name for it. */
  id: number
  userId: number
  data: Record<string, unknown>
  deviceId: string | null
  deviceName: string | null
  createdAt: Date
  lastSeenAt: Date
  /** Idle limit, moved forward by use. */
  expiresAt: Date
  /** Hard limit. */
  absoluteExpiresAt: Date
  revokedAt: Date | null
}

export interface KnownBrowserRow {
  userId: number
  idHash: string
  seenAt: Date
}

export interface FailedSignInsRow {
  /** Null for addresses without an account. */
  userId: number | null
  hour: Date
  times: number
  lastAt: Date
}
