import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { fullSize, sized } from './sync-server/testing/proof-size.ts'

const shared = fileURLToPath(new URL('./shared/', import.meta.url))
const everywhere = { resolve: { alias: [{ find: /^#shared\//, replacement: shared }] } }
const exclude = ['**/node_modules/**', 'dist/**', '.data/**']

/** What reads a date or a clock is tested once more where the machine's own day is another. */
const machineZones = sized(['America/Los_Angeles', 'Asia/Tokyo', 'UTC'], ['America/Los_Angeles'])
const aboutDates = [
  'shared/time/**/*.test.ts',
  'shared/events/**/*.test.ts',
  'shared/billing/**/*.test.ts',
  'shared/alerts/**/*.test.ts',
  'pwa/events/**/*.test.ts',
  'pwa/applications/**/*.test.ts',
  'pwa/billing/**/*.test.ts',
]

/** These replace modules or globals that others import, so each gets a module graph of its own. */
const isolated = ['pwa/sync/http/question.test.ts', 'pwa/sync/account/open-account.test.ts']
const isolatedOnPostgres = ['pwa/applications/added-field.pg.test.ts']
const setupFiles = ['pwa/sync/testing/fresh-file.ts']
/** Reading the program anew for every file would cost more than the tests. */
const sharedModules = { isolate: false, setupFiles }

// Time-outs end a test that hangs. A busy machine makes tests slow, never red.
const patience = { testTimeout: 120_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } }
const onPostgres = { globalSetup: ['sync-server/testing/global-setup.ts'], ...patience }

/** The files that take longest begin first, so that no worker is left alone with one at the end. */
const longest = [/chaos\.proof/, /\.sim\.test/, /\.proof\.test/, /\.pg\.test/]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((pattern) => pattern.test(moduleId))
      return index === -1 ? longest.length : index
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

const beyondUnit = ['**/*.pg.test.ts', '**/*.proof.test.ts', '**/*.sim.test.ts']

/** The suffix of a test says what it needs: nothing, a real PostgreSQL, that and kills or floods, or the simulation. */
export default defineConfig({
  test: {
    // Many wait for a database, a timer or another process: one more than there are processors keeps them all busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...everywhere,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...beyondUnit, ...isolated],
          ...sharedModules,
          ...patience,
        },
      },
      { ...everywhere, test: { name: 'unit, isolated', include: isolated, exclude, setupFiles, ...patience } },
      ...machineZones.map((TZ) => ({
        ...everywhere,
        test: {
          name: `dates in ${TZ}`,
          include: aboutDates,
          exclude: [...exclude, ...beyondUnit],
          env: { TZ },
          ...sharedModules,
          ...patience,
        },
      })),
      {
        ...everywhere,
        test: {
          name: 'postgres',
          include: ['**/*.pg.test.ts'],
          exclude: [...exclude, ...isolatedOnPostgres],
          ...sharedModules,
          ...onPostgres,
        },
      },
      {
        ...everywhere,
        test: { name: 'postgres, isolated', include: isolatedOnPostgres, exclude, ...onPostgres },
      },
      { ...everywhere, test: { name: 'proofs', include: ['**/*.proof.test.ts'], exclude, ...onPostgres } },
      {
        ...everywhere,
        test: {
          name: 'simulation',
          include: ['**/*.sim.test.ts'],
          exclude,
          testTimeout: fullSize ? 3_600_000 : 600_000,
        },
      },
    ],
  },
})
