import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')
const section = page.split('### The files it runs through')[1]!.split('\n## ')[0]!
const stretches = [...section.matchAll(/^([\w/-]+): (.+)$/gm)].map(([, room = '', names = '']) => ({
  room,
  files: names.split(' ').map((name) => `${room}/${name}`),
}))

it('ARCHITECTURE.md names files that exist on the way of an approval, and counts them and the changes of room', () => {
  const files = [...new Set(stretches.flatMap((stretch) => stretch.files))]
  const isThere = (file: string) => ['.ts', '.tsx'].some((ending) => existsSync(path.join(root, file + ending)))
  expect(files.filter((file) => !isThere(file))).toEqual([])
  const changes = stretches.filter(({ room }, index) => index > 0 && room !== stretches[index - 1]!.room)
  expect(section).toContain(`These are ${files.length} files and ${changes.length} changes of room;`)
})
