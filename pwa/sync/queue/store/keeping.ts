const channel = new BroadcastChannel('beaconry-keeping')

type Listener = (where: 'here' | 'elsewhere') => void
const listeners = new Set<Listener>()

/** For what opens a database that must not be lost. */
export function announceKeptData(): void {
  channel.postMessage('keeping')
  for (const listener of Array.from(listeners)) listener('here')
}

export function onKeptData(listener: Listener): void {
  listeners.add(listener)
  channel.addEventListener('message', () => listener('elsewhere'))
}
