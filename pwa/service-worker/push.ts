import type { Decision } from '#shared/applications/decide.ts'
import { requestBackgroundSync } from '../sync/drain/background-sync.ts'
import { decideApplication } from '../sync/queue/mutations/decide-application.ts'
import { appWindowFor } from './app-window.ts'
import { outbox, outboxStore, replayer } from './worker-outbox.ts'
import { messageOf, readPush, type NotifiedApplication, type ShownPush } from './push-message.ts'

interface Carried {
  readonly open: string
  readonly application: NotifiedApplication | null
}

type Options = NotificationOptions & { actions?: { action: Decision; title: string }[]; renotify?: boolean }
/** Some browsers have read the message themselves. */
type Declarative = PushEvent & { readonly notification?: unknown; readonly appBadge?: unknown }
type Badging = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> }

const decisions: { action: Decision; title: string }[] = [
  { action: 'approved', title: 'Approve' },
  { action: 'rejected', title: 'Reject' },
]

export function followPush(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => {
    const shown = readPush(messageOf(event.data, event as Declarative), worker.location.origin)
    event.waitUntil(
      Promise.all([
        show(worker, shown).then(() => tellPages(worker, shown.testId)),
        setBadge(worker, shown.badge),
        replayer.wake('push').catch(() => undefined),
      ]),
    )
  })
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(follow(worker, event.notification.data as Carried | undefined, event.action))
  })
}

async function tellPages(worker: ServiceWorkerGlobalScope, testId: string | null): Promise<void> {
  if (testId === null) return
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of pages) page.postMessage({ type: 'test-alert', testId })
}

async function show(worker: ServiceWorkerGlobalScope, shown: ShownPush): Promise<void> {
  const { title, body, tag, renotify, open, application } = shown
  const carried: Carried = { open, application }
  const options: Options = {
    body,
    tag,
    renotify,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: carried,
    ...(application ? { actions: decisions } : {}),
  }
  await worker.registration.showNotification(title, options)
}

async function setBadge(worker: ServiceWorkerGlobalScope, count: number | null): Promise<void> {
  const navigator = worker.navigator as WorkerNavigator & Badging
  if (count === null) return
  try {
    await (count === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(count))
  } catch {
    // Some systems refuse a number on an icon.
  }
}

async function follow(worker: ServiceWorkerGlobalScope, carried: Carried | undefined, action: string): Promise<void> {
  const { open = '/dashboard', application = null } = carried ?? {}
  if (application && (action === 'approved' || action === 'rejected') && (await decide(worker, application, action)))
    return
  await openPage(worker, open)
}

/** @returns whether the decision is on this device now; not when signed out or signed in as another account */
async function decide(
  worker: ServiceWorkerGlobalScope,
  application: NotifiedApplication,
  status: Decision,
): Promise<boolean> {
  const { result: account } = await outboxStore.change([], ({ account }) => ({ result: account }))
  if (account == null || (application.userId !== null && application.userId !== account)) return false
  const { applicationId, eventId, organizerId, name } = application
  const args = {
    applicationId,
    eventId,
    // Without the owner's wish the alert does not know the name, which would be on the lock screen.
    name: name ?? 'the applicant of an alert',
    status,
    from: 'pending',
    basis: null,
  } as const
  const sender = { userId: account, ...(organizerId === null ? {} : { organizerId }) }
  await outbox.enqueue(decideApplication, args, sender)
  // Held for longer than this worker may live: the browser wakes it again where it can.
  await requestBackgroundSync(worker.registration)
  await replayer.wake('push').catch(() => undefined)
  return true
}

async function openPage(worker: ServiceWorkerGlobalScope, path: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: false })
  const page = appWindowFor(path, pages)
  if (!page) {
    await worker.clients.openWindow(path)
    return
  }
  await page.focus().catch(() => undefined)
  // The page navigates itself: a reload would lose what is being typed.
  page.postMessage({ type: 'open', path })
}
