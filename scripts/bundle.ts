import { build } from 'rolldown'

/**
 * One file per program; packages stay in node_modules because of their native code and migrations. `folder` must be two
 * steps below the project, as the sources are, and is emptied.
 * @param programs sources by program name
 */
export async function bundle(programs: Record<string, string>, folder: string): Promise<void> {
  await build({
    input: programs,
    platform: 'node',
    external: (id) => /^(node:|@?[a-z0-9])/i.test(id) && !/^[a-z]:[\\/]/i.test(id),
    tsconfig: false,
    output: {
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      sourcemap: true,
      cleanDir: true,
    },
  })
}
