import type { Poke } from '#shared/sync/replication-calls.ts'
import type { OpenedStream } from '../../follow/live-stream.ts'
import { checkpointAt } from './model-history.ts'
import { deliver, type SimContext, type SimDevice } from './sim-device.ts'
import { openBody } from '../model-transport.ts'
import { olivia, type Scene } from './sim-stage.ts'

/** What becomes of streams: `silent` opens and says nothing, `held` does not even open, `cut` breaks off again and again. */
export const streamFates = ['well', 'silent', 'held', 'refused', 'cut'] as const
export type StreamFate = (typeof streamFates)[number]

/** The server's end of one stream. */
export interface ServedStream {
  say(event: string, data: object): void
  end(): void
}

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

/** Every so many versions is told without its documents, as many or large ones are. */
const plainEvery = 5

/** Tells every stream of each version as the server gives it out, mostly with what changed. */
export function pokeStreams(scene: Scene): void {
  const { server } = scene
  server.onWrite = (collection, version) => {
    const since = version - 1
    const poke: Poke = { scope: 'org', version, since, collections: [collection] }
    const carried = version % plainEvery === 0 ? undefined : carriedBy(server, collection, since)
    if (carried) scene.meet('carried')
    for (const stream of scene.streams) stream.say('poke', carried ? { ...poke, carried } : poke)
  }
}

/** As the server reads it at this moment; see carried-documents.ts. */
function carriedBy(server: Scene['server'], collection: 'events' | 'applications', since: number) {
  const { rows, head } = server.pull(collection, since, Infinity)
  const documents = rows.map((row) => row.document ?? { key: row.key, version: row.version, _deleted: true })
  if (!server.historyIds.has(head) || (!server.historyIds.has(since) && since > 0)) return undefined
  const [from, to] = [checkpointAt(server, since), checkpointAt(server, head)]
  return { from, to, documents: { [collection]: documents } }
}
