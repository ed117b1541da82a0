import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { startGuarded } from './guarded-process.ts'

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Tells its number, and that of a child of its own. */
const family = ['/bin/sh', '-c', 'sleep 600 & echo $$ $!; wait'] as const

const numbersIn = (text: Buffer) => text.toString().trim().split(' ').map(Number)

it('a program and its children end with the process that started them, also by SIGKILL', async () => {
  const starter = `import { startGuarded } from ${JSON.stringify(new URL('./guarded-process.ts', import.meta.url).pathname)}
    startGuarded(...${JSON.stringify([family[0], family.slice(1)])}).output.pipe(process.stdout)`
  const ours = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', starter], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = (await once(ours.stdout, 'data')) as [Buffer]
  const numbers = numbersIn(text)
  expect(numbers.map(isAlive)).toEqual([true, true])
  ours.kill('SIGKILL')
  await expect.poll(() => numbers.map(isAlive)).toEqual([false, false])
})

it('a program that ends is said to have ended, and leaves no children', async () => {
  const program = startGuarded('/bin/sh', ['-c', 'sleep 600 & echo $!; exit 3'])
  const [text] = (await once(program.output, 'data')) as [Buffer]
  await expect(program.ended).rejects.toThrow('/bin/sh ended')
  await expect.poll(() => numbersIn(text).map(isAlive)).toEqual([false])
})
