const channel = new BroadcastChannel('beaconry-keeping')

type Listener = (where: 'here' | 'elsewhere') => void
const listeners = new Set<Listener>()

export function announceKeptData(): void {
  channel.postMessage('keeping')
  for (const listener of Array.from(listeners)) listener('here')
}

export function onKeptData(listener: Listener): void {
  listeners.add(listener)
  channel.addEventListener('message', () => listener('elsewhere'))
}
