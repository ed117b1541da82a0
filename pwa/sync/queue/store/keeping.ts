/** Pages that keep nothing yet hear here that another page has begun to. */
const channel = new BroadcastChannel('beaconry-keeping')

type Listener = (where: 'here' | 'elsewhere') => void
const listeners = new Set<Listener>()

/** Called by what opens a database of precious things: from now on this device has something to send, to follow or to lose. */
export function announceKeptData(): void {
  channel.postMessage('keeping')
  for (const listener of Array.from(listeners)) listener('here')
}

/** Calls back when this page, or another of this device, begins to keep something. */
export function onKeptData(listener: Listener): void {
  listeners.add(listener)
  channel.addEventListener('message', () => listener('elsewhere'))
}
