import { build } from 'rolldown'

/**
 * Makes programs of the server one file each; packages stay in node_modules, where native code and migrations of theirs
 * belong. `folder` stands two steps below the project, as sources do, and holds nothing else afterwards.
 * @param programs their sources, by the names they are to have
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
