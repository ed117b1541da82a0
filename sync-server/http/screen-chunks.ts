import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

/**
 * Which scripts a screen needs beside those every page loads, by the build's own list. A browser that is told fetches
 * them at once, not only after the first ones have run. `folder` is the build's output; without a list there are none.
 */
export function screenChunks(folder: string): (screen: string) => string[] {
  const list = path.join(folder, '.vite', 'manifest.json')
  const chunks: Record<string, Chunk | undefined> = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as Record<string, Chunk>)
    : {}

  function filesOf(name: string, seen: Set<string>): Set<string> {
    const chunk = chunks[name]
    if (!chunk || seen.has(chunk.file)) return seen
    seen.add(chunk.file)
    for (const imported of chunk.imports ?? []) filesOf(imported, seen)
    return seen
  }

  const everywhere = filesOf('index.html', new Set())
  return (screen) => {
    const name = Object.keys(chunks).find((chunk) => chunk.endsWith(`/${screen}-screen.tsx`))
    const needed = filesOf(name ?? '', new Set(everywhere))
    return [...needed].filter((file) => !everywhere.has(file)).map((file) => `/${file}`)
  }
}
