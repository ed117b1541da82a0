import type { Fold } from './sim-screen.ts'
import type { Variant } from './sim-device.ts'
import type { LogRow, ModelServer } from './model-server.ts'

/** One seeded bug: what it puts in the place of something right. None of it is a history without bugs. */
export interface Canary extends Variant {
  readonly server?: (server: ModelServer) => ModelServer
  readonly fold?: Fold
  readonly pull?: (collection: 'events' | 'applications', after: number, limit: number, server: ModelServer) => { rows: LogRow[]; head: number }
  /** The checkpoint is written before the documents it stands for. */
  readonly checkpointFirst?: boolean
}
