import type { RefusedChange, StrandedJob } from '#shared/admin/admin-calls.ts'

const jobs: Readonly<Record<string, string>> = {
  'send-mail': 'Send an e-mail',
  'new-application-push': 'Gather an event’s alerts',
  'send-push': 'Send an alert',
  'decision-push': 'Gather alerts about a decision',
  'send-news': 'Send an alert about a decision',
  'beacon-news': 'Gather alerts about Beacons',
  'send-beacon-news': 'Send an alert about a Beacon',
  'quiet-alert': 'Send an alert after quiet hours',
  'test-alert': 'Send a test alert',
  'password-reset': 'Write a password link',
  'expire-payment': 'Give up an unpaid payment',
  'delete-customer': 'Delete a customer at the payment provider',
}

/** Kinds unknown to this app show their own name. */
export function jobWords(kind: string): string {
  return jobs[kind] ?? capitalised(kind.replaceAll('-', ' '))
}

/** 'Event 7 · Mail 12'; the job's own number when it names nothing else. */
export function aboutWords({ id, about }: Pick<StrandedJob, 'id' | 'about'>): string {
  return about.length === 0 ? `Job ${id}` : about.map((one) => `${capitalised(one.what)} ${one.id}`).join(' · ')
}

/** Precedes a moment: 'Failed 8 times, last'. */
export function standingWords({ standing, attempts }: Pick<StrandedJob, 'standing' | 'attempts'>): string {
  if (standing === 'overdue') return 'No worker has taken it, due since'
  return attempts === 1 ? 'Failed once,' : `Failed ${attempts} times, last`
}

export function errorWords({ lastError }: Pick<StrandedJob, 'lastError'>): string {
  return lastError ? capitalised(lastError) : 'No reason was noted.'
}

const reasons: Readonly<Record<string, string>> = {
  not_found: 'What it was about is gone, or belongs to another account.',
  gone: 'What it was about is gone.',
  conflict: 'It had been changed elsewhere meanwhile.',
  not_allowed_now: 'It was not possible any more.',
  plan_limit: 'The plan was used up.',
  payment_required: 'A plan was missing.',
  duplicate_application: 'They had applied before.',
  already_exists: 'It was there already.',
  forbidden: 'They were not allowed to.',
  cancelled: 'It had been discarded.',
  invalid_input: 'The server did not understand it.',
  too_large: 'It was too large.',
  key_reused: 'Its key belonged to another change.',
}

export function reasonWords(code: string): string {
  return reasons[code] ?? `${capitalised(code.replaceAll('_', ' '))}.`
}

/** Reasons that a person cannot have caused: app and server disagree. */
export function mayBeOurs({ code }: Pick<RefusedChange, 'code'>): boolean {
  return ['invalid_input', 'too_large', 'key_reused', 'forbidden', 'unsupported_media_type'].includes(code)
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
