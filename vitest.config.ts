import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const shared = fileURLToPath(new URL('./shared/', import.meta.url))
const everywhere = { resolve: { alias: [{ find: /^#shared\//, replacement: shared }] } }
const exclude = ['**/node_modules/**', 'dist/**', '.data/**']

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
