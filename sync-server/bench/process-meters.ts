import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import path from 'node:path'
import { freePort } from '../testing/server-process.ts'

function statOf(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

/** User and system time, that of ended children with it; in ticks of a hundredth of a second. */
export function processorMs(pid: number): number {
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(statOf(pid)[field] ?? 0), 0) * 10
}

export function descendants(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)[1] === String(pid))
  return [pid, ...children.map(Number)]
}

/** Tells what a Node process that is started with `env` holds once its garbage is collected. */
export interface MemoryMeter {
  readonly env: Readonly<Record<string, string>>
  heldBytes(): Promise<number>
}

export async function createMemoryMeter(): Promise<MemoryMeter> {
  const port = await freePort()
  const program = pathToFileURL(path.join(import.meta.dirname, 'memory-meter.mjs')).href
  return {
    env: { NODE_OPTIONS: `--import ${program}`, BENCH_MEMORY_PORT: String(port) },
    heldBytes: async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text()),
  }
}
