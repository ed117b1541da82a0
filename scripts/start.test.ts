import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

// A project of two files, and an npm that notes what it is asked and does the least that counts as done.
const NPM = `
  const fs = require('node:fs')
  const command = process.argv[2] === 'run' ? process.argv[3] : process.argv[2]
  const withoutDev = process.argv.includes('--omit=dev')
  fs.appendFileSync('npm-calls', command + (withoutDev ? ' without dev' : '') + '\\n')
  if (fs.existsSync('fail-' + command)) process.exit(7)
  if (command === 'build') {
    fs.mkdirSync('dist/server', { recursive: true })
    fs.writeFileSync('dist/server/main.mjs', "console.log('serving'); process.exit(3)")
  } else {
    fs.mkdirSync(withoutDev ? 'node_modules' : 'node_modules/vite', { recursive: true })
    fs.writeFileSync('node_modules/.package-lock.json', '{}')
  }
`

let root: string
const inRoot = (name: string) => path.join(root, name)

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'beaconry-start-'))
  for (const folder of ['scripts', 'pwa/e2e', 'shared']) mkdirSync(inRoot(folder), { recursive: true })
  copyFileSync(fileURLToPath(new URL('./start.mjs', import.meta.url)), inRoot('scripts/start.mjs'))
  writeFileSync(inRoot('npm-cli.cjs'), NPM)
  writeFileSync(inRoot('package-lock.json'), '{"lock": 1}')
  writeFileSync(inRoot('shared/rule.ts'), 'export const rule = 1')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Runs `npm start` and waits for its end. */
async function start(...options: string[]): Promise<{ status: number | null; output: string; npm: string[] }> {
  rmSync(inRoot('npm-calls'), { force: true })
  const child = spawn(process.execPath, ['scripts/start.mjs', ...options], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', npm_execpath: inRoot('npm-cli.cjs') },
  })
  let output = ''
  const read = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, output, npm: readCalls() }
}

/** @returns what npm is asked for before the server starts; the server itself is not started */
const prepare = async () => (await start('--prepare')).npm

function readCalls(): string[] {
  try {
    return readFileSync(inRoot('npm-calls'), 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

describe('npm start', () => {
  it('installs without a lock file too', async () => {
    rmSync(inRoot('package-lock.json'))
    expect(await prepare()).toEqual(['install', 'build'])
  })

  it('trusts an install made by hand', async () => {
    mkdirSync(inRoot('node_modules/vite'), { recursive: true })
    writeFileSync(inRoot('node_modules/.package-lock.json'), '{}')
    expect(await prepare()).toEqual(['build'])
  })

  it('installs and builds a fresh clone, then only what is missing, changed or failed', async () => {
    const { status, output, npm } = await start()
    expect(npm).toEqual(['ci', 'build'])
    expect(output).toMatch(
      /Installing packages \(npm ci\) …\nInstalling packages: done in \d+\.\d s\nBuilding the app .*\nBuilding the app: done in \d+\.\d s\nserving/,
    )
    expect(status).toBe(3)
    expect(await start()).toEqual({ status: 3, output: 'serving\n', npm: [] })

    writeFileSync(inRoot('package-lock.json'), '{"lock": 2}')
    const later = new Date(Date.now() + 60_000)
    utimesSync(inRoot('package-lock.json'), later, later)
    expect(await prepare()).toEqual(['ci', 'build'])

    writeFileSync(inRoot('shared/rule.test.ts'), 'a test')
    writeFileSync(inRoot('pwa/e2e/journey.spec.ts'), 'a journey')
    rmSync(inRoot('node_modules/vite'), { recursive: true })
    expect((await start()).npm).toEqual([])
    writeFileSync(inRoot('shared/rule.ts'), 'export const rule = 2')
    expect(await prepare()).toEqual(['ci', 'build'])

    // What failed serves nothing, not even the build before it.
    writeFileSync(inRoot('shared/rule.ts'), 'export const rule = 3')
    writeFileSync(inRoot('fail-build'), '')
    const failed = await start()
    expect(failed.status).toBe(1)
    expect(failed.output).toContain('Building the app failed')
    expect(failed.output).not.toContain('serving')
    expect(existsSync(inRoot('dist/.stamp'))).toBe(false)

    // What was built elsewhere needs no packages that build.
    rmSync(inRoot('node_modules'), { recursive: true })
    rmSync(inRoot('pwa'), { recursive: true })
    expect(await start()).toMatchObject({ status: 3, npm: ['ci without dev'] })
  })
})
