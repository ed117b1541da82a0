import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { SyncSummary } from '#shared/sync/replication-calls.ts'
import { dayBefore, hasEnded, todayIn, type EventDays } from '#shared/time/event-time.ts'

export type Tone = 'green' | 'amber' | 'red'

/** A press next to a line does this about it. */
export type Repair =
  | 'sync'
  | 'keep-storage'
  | 'show-install-steps'
  | 'open-queue'
  | 'turn-on-alerts'
  | 'update-app'
  | 'reload'
  | 'fetch-files'

export interface ReadyLine {
  readonly tone: Tone
  readonly text: string
  readonly repair?: Repair
}

export type CopyFact =
  | { readonly is: 'no-network' | 'unknown' | 'not-here' }
  | { readonly is: 'equal'; readonly applications: number }
  | { readonly is: 'different'; readonly why: string }

export type AlertFact =
  | { readonly is: 'arrived'; readonly afterSeconds: number }
  | { readonly is: 'late' | 'off' | 'denied' | 'unsupported' | 'needs-install' | 'no-network' }
  | { readonly is: 'failed'; readonly why: string }

/** Holds what was found on this device as JSON, because the latest is kept. */
export interface ReadyFacts {
  readonly copy: CopyFact
  /** It is null where the browser does not say. */
  readonly storage: {
    readonly isPersistent: boolean | null
    readonly freeBytes: number | null
    readonly clearsAfterWeek: boolean
  }
  /** This device is ahead of the server by this; it is null without a network. */
  readonly clock: { readonly aheadMs: number | null }
  readonly alert: AlertFact
  readonly queue: { readonly waiting: number; readonly attention: number }
  readonly app: { readonly is: 'newest' | 'loading' | 'update-waiting' | 'too-old' | 'no-network' }
  readonly shell: { readonly isControlled: boolean; readonly missing: number }
  readonly rehearsal: { readonly is: 'done' | 'no-worker' | 'not-opened' | 'not-saved' | 'not-taken-back' }
}

export type LineName = keyof ReadyFacts

export const lineTitles: Readonly<Record<LineName, string>> = {
  copy: 'This event on this device',
  storage: 'Storage',
  clock: 'Clock',
  alert: 'Alerts',
  queue: 'Unsent changes',
  app: 'App version',
  shell: 'Opening without a network',
  rehearsal: 'Rehearsal without a network',
}
export const lineNames = Object.keys(lineTitles) as LineName[]

const counted = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`

const noNetwork = (unknown: string): ReadyLine => ({ tone: 'amber', text: `No network: ${unknown}` })

function copyLine(fact: CopyFact): ReadyLine {
  switch (fact.is) {
    case 'equal':
      return { tone: 'green', text: `The same as on the server, with ${counted(fact.applications, 'application')}.` }
    case 'different':
      return { tone: 'red', text: fact.why, repair: 'sync' }
    case 'not-here':
      return { tone: 'red', text: 'It is not completely on this device yet.', repair: 'sync' }
    case 'unknown':
      return { tone: 'amber', text: 'The server did not answer as expected. Check again in a minute.' }
    case 'no-network':
      return noNetwork('this device cannot be compared with the server.')
  }
}

const littleBytes = 50_000_000
const tooLittleBytes = 5_000_000

function storageLine({ isPersistent, freeBytes, clearsAfterWeek }: ReadyFacts['storage']): ReadyLine {
  if (freeBytes !== null && freeBytes < tooLittleBytes)
    return { tone: 'red', text: 'This device is full. Delete something else, such as videos, to make room.' }
  if (clearsAfterWeek) {
    const text = 'This browser clears it when Beaconry is not opened for a week. Add Beaconry to the home screen.'
    return { tone: 'amber', text, repair: 'show-install-steps' }
  }
  if (isPersistent === false)
    return { tone: 'amber', text: 'The browser may clear it when the disk is full.', repair: 'keep-storage' }
  if (freeBytes !== null && freeBytes < littleBytes)
    return { tone: 'amber', text: 'There is little room left on this device. Delete something else to make room.' }
  if (isPersistent === null) return { tone: 'amber', text: 'This browser does not say how safely it keeps your data.' }
  return { tone: 'green', text: 'The browser keeps your data, and there is room.' }
}

const maxClockErrorMs = 30_000

function clockLine({ aheadMs }: ReadyFacts['clock']): ReadyLine {
  if (aheadMs === null) return noNetwork('the clock cannot be compared with the server’s.')
  const byMs = Math.abs(aheadMs)
  if (byMs <= maxClockErrorMs) return { tone: 'green', text: 'It shows the same time as the server.' }
  const text = `It is ${duration(byMs)} ${aheadMs > 0 ? 'fast' : 'slow'}. Turn on automatic date and time in this device’s settings.`
  return { tone: 'red', text }
}

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 2) return counted(Math.round(ms / 1000), 'second')
  if (minutes < 120) return counted(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day')
}

function alertLine(fact: AlertFact): ReadyLine {
  switch (fact.is) {
    case 'arrived':
      return { tone: 'green', text: `A test alert arrived after ${counted(fact.afterSeconds, 'second')}.` }
    case 'late': {
      const text =
        'The test alert has not arrived. Check this device’s notification settings and Do Not Disturb, or try mobile data.'
      return { tone: 'red', text }
    }
    case 'failed':
      return { tone: 'amber', text: fact.why }
    case 'off':
      return { tone: 'amber', text: 'Alerts are off on this device.', repair: 'turn-on-alerts' }
    case 'denied':
      return { tone: 'amber', text: 'Alerts are blocked. Allow notifications for Beaconry in the browser’s settings.' }
    case 'unsupported':
      return { tone: 'amber', text: 'This browser cannot show alerts. Look at the applicants here instead.' }
    case 'needs-install': {
      const text = 'An iPhone gives alerts to apps only. Add Beaconry to the home screen, and turn alerts on there.'
      return { tone: 'amber', text, repair: 'show-install-steps' }
    }
    case 'no-network':
      return noNetwork('a test alert cannot be sent.')
  }
}

function queueLine({ waiting, attention }: ReadyFacts['queue']): ReadyLine {
  if (attention > 0) {
    const text = `${counted(attention, 'change needs', 'changes need')} your attention.`
    return { tone: 'red', text, repair: 'open-queue' }
  }
  if (waiting > 0)
    return { tone: 'amber', text: `${counted(waiting, 'change waits', 'changes wait')}.`, repair: 'open-queue' }
  return { tone: 'green', text: 'Everything you changed is saved online.' }
}

function appLine({ is }: ReadyFacts['app']): ReadyLine {
  switch (is) {
    case 'newest':
      return { tone: 'green', text: 'This is the newest version.' }
    case 'loading':
      return { tone: 'amber', text: 'A newer version is being loaded. Check again in a minute.' }
    case 'update-waiting':
      return { tone: 'amber', text: 'A newer version is ready.', repair: 'update-app' }
    case 'too-old':
      return { tone: 'red', text: 'The server needs a newer version than this one.', repair: 'reload' }
    case 'no-network':
      return noNetwork('a newer version cannot be looked for.')
  }
}

function shellLine({ isControlled, missing }: ReadyFacts['shell']): ReadyLine {
  if (!isControlled) {
    const text = 'Beaconry is not kept on this device yet. Reload this page with a network.'
    return { tone: 'red', text, repair: 'reload' }
  }
  if (missing > 0) {
    const text = `${counted(missing, 'file', 'files')} of the app ${missing === 1 ? 'is' : 'are'} missing on this device.`
    return { tone: 'red', text, repair: 'fetch-files' }
  }
  return { tone: 'green', text: 'All of the app is on this device.' }
}

function rehearsalLine({ is }: ReadyFacts['rehearsal']): ReadyLine {
  switch (is) {
    case 'done': {
      const text = 'With its network cut, Beaconry opened, saved an approval on this device and took it back.'
      return { tone: 'green', text }
    }
    case 'no-worker': {
      const text = 'It could not be played: Beaconry is not kept on this device yet. Reload this page with a network.'
      return { tone: 'red', text, repair: 'reload' }
    }
    case 'not-opened':
      return { tone: 'red', text: 'With its network cut, Beaconry did not open. Reload this page.', repair: 'reload' }
    case 'not-saved':
      return { tone: 'red', text: 'An approval was not saved on this device. Restart the browser and check again.' }
    case 'not-taken-back': {
      const text = 'The rehearsed approval was not taken back. It is never sent, and is removed at the next start.'
      return { tone: 'red', text, repair: 'reload' }
    }
  }
}

const writers: { readonly [N in LineName]: (fact: ReadyFacts[N]) => ReadyLine } = {
  copy: copyLine,
  storage: storageLine,
  clock: clockLine,
  alert: alertLine,
  queue: queueLine,
  app: appLine,
  shell: shellLine,
  rehearsal: rehearsalLine,
}

/** Returns undefined for what was not looked at yet. */
export function lineOf<N extends LineName>(name: N, facts: Partial<ReadyFacts>): ReadyLine | undefined {
  const fact = facts[name]
  return fact === undefined ? undefined : writers[name](fact)
}

/** What the replica holds, without the queued changes. */
export interface DeviceCopy {
  readonly epoch: string | undefined
  readonly appliedVersion: number
  /** It is undefined when the event is not there. */
  readonly eventVersion: number | undefined
  readonly applications: Readonly<Record<ApplicationStatus, number>>
}

export function compareCopy(server: SyncSummary, device: DeviceCopy): CopyFact {
  if (device.eventVersion === undefined) return { is: 'not-here' }
  const total = (counts: DeviceCopy['applications']) => counts.pending + counts.approved + counts.rejected
  const there = server.applications
  const here = device.applications
  if (total(there) !== total(here)) {
    const why = `The server has ${counted(total(there), 'application')}, this device has ${total(here)}.`
    return { is: 'different', why }
  }
  if (there.pending !== here.pending || there.approved !== here.approved)
    return { is: 'different', why: 'Decisions on the server are not on this device yet.' }
  if (server.epoch !== device.epoch || server.eventVersion !== device.eventVersion)
    return { is: 'different', why: 'The event has changed on the server.' }
  if (server.version > device.appliedVersion)
    return { is: 'different', why: 'The server has changes that are not on this device yet.' }
  return { is: 'equal', applications: total(here) }
}

/** Keeps the latest check of an event on this device. */
export interface ReadyResult {
  readonly facts: ReadyFacts
  /** The server's clock gives this time (ISO). */
  readonly checkedAt: string
  readonly appVersion: string
  readonly eventVersion: number
}

interface Verdict {
  /** This is the worst of all lines. */
  readonly tone: Tone
  /** Counts the lines that have it. */
  readonly lines: number
  /** The copy could not be compared with the server. */
  readonly isPartial: boolean
}

export function verdictOf(facts: ReadyFacts): Verdict {
  const tones = lineNames.map((name) => lineOf(name, facts)?.tone ?? 'amber')
  const tone = tones.includes('red') ? 'red' : tones.includes('amber') ? 'amber' : 'green'
  const isPartial = facts.copy.is === 'no-network' || facts.copy.is === 'unknown'
  return { tone, lines: tones.filter((one) => one === tone).length, isPartial }
}

const maxAgeMs = 12 * 3_600_000

interface Present {
  readonly now: Date
  readonly appVersion: string
  readonly eventVersion: number
  /** Counts changes in the queue. */
  readonly queued: number
}

/** Says why a result no longer counts; it is null while it does. */
export function staleReason(result: ReadyResult, { now, appVersion, eventVersion, queued }: Present): string | null {
  if (queued > 0 && result.facts.queue.waiting + result.facts.queue.attention === 0)
    return `${counted(queued, 'change waits', 'changes wait')} on this device`
  if (result.appVersion !== appVersion) return 'Beaconry was updated since'
  if (result.eventVersion !== eventVersion) return 'the event was changed since'
  return now.getTime() - Date.parse(result.checkedAt) > maxAgeMs ? 'the check is older than 12 hours' : null
}

const windowDays = 2

/** It is offered from two days before the first day, by the calendar of the event's place, until its end. */
export function isReadyTime(
  event: EventDays & { readonly cancelledAt?: string | undefined; readonly takenDown?: unknown },
  now: Date,
): boolean {
  if (event.cancelledAt !== undefined || event.takenDown) return false
  let first = event.startDate
  for (let day = 0; day < windowDays; day += 1) first = dayBefore(first)
  return todayIn(event.timeZone, now) >= first && !hasEnded(event, now)
}
