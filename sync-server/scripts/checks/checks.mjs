/** What must hold beside the tests; `npm run check` runs them all, `npm test` counts each as one. */
export const checks = [
  { name: 'types and the direction between projects', args: ['node_modules/typescript/bin/tsc', '-b'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--quiet'] },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'] },
  {
    name: 'nothing unused',
    args: ['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
  },
  { name: 'doors between rooms', args: ['sync-server/scripts/checks/check-doors.mjs'] },
  { name: 'lock file', args: ['sync-server/scripts/checks/check-lock.mjs'] },
  { name: 'weight of the built app', args: ['pwa/check-budget.mjs'] },
]
