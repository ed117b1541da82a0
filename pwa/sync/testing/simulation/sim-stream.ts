import type { Poke } from '#shared/sync/replication-calls.ts'
import type { OpenedStream } from '../../follow/live-stream.ts'
import { openBody } from '../model-transport.ts'
import { deliver, olivia, type Scene, type ServedStream, type SimContext, type SimDevice } from './sim-stage.ts'

/** The server says something so often, in milliseconds; see live-stream.ts. */
const heartbeatMs = 25_000
const longestCutMs = 12_000

/** Opens the live stream of a page over the road as it is now. */
export function openSimStream(scene: Scene, device: SimDevice, context: SimContext): Promise<OpenedStream> {
  const { world, network, streams } = scene
  return new Promise((resolve, reject) => {
    const waitMs = 5 + world.random() * network.weather.slowestMs
    const later = (run: () => void) => world.after(waitMs, () => deliver(context, run))
    const fate = scene.streamFate
    scene.meet(`stream: ${fate}`)
    const fails = !device.isOnline || scene.isDown || fate === 'refused' || world.chance(network.weather.dropBefore)
    if (fails) return void later(() => reject(new TypeError('Failed to fetch')))
    if (fate === 'held') return
    if (device.session !== olivia) return void later(() => resolve({ kind: 'refused', why: 'signed-out' }))
    const { push, end, body } = openBody()
    let isOpen = true
    const send = (text: string) => {
      // A stream whose road was gone for one word never carries another.
      isOpen &&= device.isOnline && context.isAlive
      if (isOpen) push(text)
    }
    const served: ServedStream = {
      say: (event, data) => {
        world.after(waitMs, () => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      },
      end() {
        isOpen = false
        streams.delete(served)
        world.after(waitMs, end)
      },
    }
    const beat = () => {
      send(': here\n\n')
      if (isOpen) world.after(heartbeatMs, beat)
      else streams.delete(served)
    }
    later(() => resolve({ kind: 'open', pieces: body }))
    if (fate === 'silent') return
    scene.meet('stream')
    streams.add(served)
    world.after(waitMs, beat)
    // What the server says first: where each scope is.
    served.say('poke', { scope: 'account', version: 1 })
    served.say('poke', { scope: 'org', version: scene.server.version })
    if (fate === 'cut') world.after(world.random() * longestCutMs, served.end)
  })
}

/** Tells every stream of each version as the server gives it out. */
export function pokeStreams(scene: Scene): void {
  scene.server.onWrite = (version) => {
    const poke: Poke = { scope: 'org', version }
    for (const stream of scene.streams) stream.say('poke', poke)
  }
}
