import type { Role } from '#shared/contract/roles.ts'

export interface UserRow {
  id: number
  username: string
  email: string
  passwordHash: string
  organizationName: string | null
  /** The address is confirmed and public. */
  contactEmail: string | null
  stripeCustomerId: string | null
  isAdmin: boolean
  /** The address was last shown to be theirs at this time. */
  emailVerifiedAt: Date | null
  passwordChangedAt: Date | null
  createdAt: Date
  mailNewApplications: boolean
  /** It is null outside the demo. */
  demoRole: 'organizer' | 'admin' | null
  /** The account admits no sign-in from this time on; null means that it is in use. */
  closedAt: Date | null
  /** The account was made on a server that was no demo, so its database is no demo. */
  madeLive: boolean
  /** Its owner asked for deletion at this time; every other account has null. */
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
  /** Hashes the cookie's 32 random bytes, which are never stored. */
  idHash: string
  /** Its owner knows it by this number. */
  id: number
  userId: number
  data: Record<string, unknown>
  deviceId: string | null
  deviceName: string | null
  createdAt: Date
  lastSeenAt: Date
  /** Idle limit, moved forward by use. */
  expiresAt: Date
  /** Nothing prolongs it. */
  absoluteExpiresAt: Date
  revokedAt: Date | null
}

export interface TeamMemberRow {
  organizerId: number
  userId: number
  role: Role
  joinedAt: Date
}

/** An open invitation; a used or withdrawn one is deleted. */
export interface TeamInvitationRow {
  id: number
  organizerId: number
  role: Role
  tokenHash: string
  expiresAt: Date
}

export interface KnownBrowserRow {
  userId: number
  idHash: string
  seenAt: Date
}

export interface FailedSignInsRow {
  /** It is null for addresses without an account. */
  userId: number | null
  hour: Date
  times: number
  lastAt: Date
}
