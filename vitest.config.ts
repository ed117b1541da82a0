import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const shared = fileURLToPath(new URL('./shared/', import.meta.url))
const everywhere = { resolve: { alias: [{ find: /^#shared\//, replacement: shared }] } }
const exclude = ['**/node_modules/**', 'dist/**', '.data/**']

/** Whatever has to do with days, clocks and places runs again where the machine's own day is another. */
const machineZones = ['America/Los_Angeles', 'Asia/Tokyo', 'UTC']
const aboutDates = [
  'shared',
  'pwa/browse',
  'pwa/events',
  'pwa/applications',
  'pwa/billing',
  'pwa/accounts',
  'pwa/mail',
].map((room) => `${room}/**/*.test.ts`)

/** The suffix of a test says what it needs: nothing, a real PostgreSQL, or the simulation. */
export default defineConfig({
  test: {
    projects: [
      {
        ...everywhere,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.pg.test.ts', '**/*.sim.test.ts'],
        },
      },
      ...machineZones.map((TZ) => ({
        ...everywhere,
        test: { name: `dates in ${TZ}`, include: aboutDates, env: { TZ } },
      })),
      {
        ...everywhere,
        test: {
          name: 'postgres',
          include: ['**/*.pg.test.ts'],
          exclude,
          globalSetup: ['sync-server/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...everywhere,
        test: { name: 'simulation', include: ['**/*.sim.test.ts'], exclude, testTimeout: 600_000 },
      },
    ],
  },
})
