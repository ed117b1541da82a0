import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const SERVER = `
  process.once('SIGTERM', () => { console.log('stopping'); process.exit(5) })
  console.log('serving')
  setInterval(() => {}, 1000)
`

// Starts the server as npm's shell does and, killed, tells it nothing.
const SHELL = `require('node:child_process').spawn(process.execPath, ['scripts/start.mjs'], { stdio: 'inherit' })`

let root: string

/** A server that is built and installed, so that starting it needs no npm. */
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'beaconry-signals-'))
  for (const folder of ['scripts', 'dist/server', 'node_modules'])
    mkdirSync(path.join(root, folder), { recursive: true })
  copyFileSync(fileURLToPath(new URL('./start.mjs', import.meta.url)), path.join(root, 'scripts/start.mjs'))
  for (const [file, text] of [
    ['package-lock.json', '{}'],
    ['node_modules/.package-lock.json', '{}'],
    ['dist/server/main.mjs', SERVER],
    ['shell.cjs', SHELL],
  ] as const)
    writeFileSync(path.join(root, file), text)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Runs a program and sends it `signal` as soon as the server serves. */
function stop(program: string, signal: NodeJS.Signals) {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const read = { output: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    read.output += chunk.toString()
    if (!child.killed && read.output.includes('serving')) child.kill(signal)
  })
  return { child, read }
}

describe('a signal to npm start', () => {
  it('reaches the server, whose status is the answer', async () => {
    const { child, read } = stop('scripts/start.mjs', 'SIGTERM')
    const [status] = (await once(child, 'close')) as [number | null]
    expect(read.output).toContain('stopping')
    expect(status).toBe(5)
  })

  it('stops the server when npm has ended without passing it on', async () => {
    const { child, read } = stop('shell.cjs', 'SIGKILL')
    // The pipe closes when the last process that writes to it has ended: the server.
    await once(child.stdout, 'close')
    expect(read.output).toContain('stopping')
  })
})
