import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const shared = fileURLToPath(new URL('./shared/', import.meta.url))
const everywhere = { resolve: { alias: [{ find: /^#shared\//, replacement: shared }] } }
const exclude = ['**/node_modules/**', 'dist/**', '.data/**']

/** Whatever has to do with days, clocks and places runs again where the machine's own day is another. */
const machineZones = ['America/Los_Angeles', 'Asia/Tokyo', 'UTC']
const roomsWithDates = [
  'shared',
  'pwa/browse',
  'pwa/events',
  'pwa/applications',
  'pwa/billing',
  'pwa/accounts',
  'pwa/mail',
]
const aboutDates = roomsWithDates.map((room) => `${room}/**/*.test.ts`)

const onPostgres = { globalSetup: ['sync-server/testing/global-setup.ts'], testTimeout: 30_000, hookTimeout: 60_000 }

/** The files that take minutes begin first, so that no worker is left alone with one at the end. */
const longest = [/chaos\.proof/, /\.sim\.test/, /\.proof\.test/, /\.pg\.test/]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((pattern) => pattern.test(moduleId))
      return index === -1 ? longest.length : index
    }
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
  }
}

/** The suffix of a test says what it needs: nothing, a real PostgreSQL, that and minutes, or the simulation. */
export default defineConfig({
  test: {
    // Most of them wait for a database, a timer or another process: by itself Vitest would leave a processor unused.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...everywhere,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.pg.test.ts', '**/*.proof.test.ts', '**/*.sim.test.ts'],
        },
      },
      ...machineZones.map((TZ) => ({
        ...everywhere,
        test: { name: `dates in ${TZ}`, include: aboutDates, exclude: [...exclude, '**/*.pg.test.ts'], env: { TZ } },
      })),
      { ...everywhere, test: { name: 'postgres', include: ['**/*.pg.test.ts'], exclude, ...onPostgres } },
      { ...everywhere, test: { name: 'proofs', include: ['**/*.proof.test.ts'], exclude, ...onPostgres } },
      {
        ...everywhere,
        test: { name: 'simulation', include: ['**/*.sim.test.ts'], exclude, testTimeout: 600_000 },
      },
    ],
  },
})
