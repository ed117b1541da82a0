import { build } from 'rolldown'

/** The server as one file beside the built app; packages stay in node_modules, where native code and migrations of theirs belong. */
await build({
  input: { main: 'sync-server/app/main.ts' },
  platform: 'node',
  external: (id) => /^(node:|@?[a-z0-9])/i.test(id) && !/^[a-z]:[\\/]/i.test(id),
  tsconfig: false,
  output: {
    dir: 'dist/server',
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    sourcemap: true,
    cleanDir: true,
  },
})
