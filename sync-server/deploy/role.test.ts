import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { passwordFile, roleStatements } from '../db/app-role.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** In the words of the file, whose role has the name of its database. */
function statementsOfTheEmbeddedDatabase(): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-role-'))
  try {
    writeFileSync(passwordFile(folder), 'secret')
    const text = roleStatements(folder, 'nocreatedb').replaceAll('beaconry_app', 'beaconry')
    return text.trim().replace(/'.*'/, `:'password'`).split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('the composed database gives the application the same role as the embedded one', () => {
  const statements = read('./role.sql').split('\n')
  expect(statements).toEqual(expect.arrayContaining(statementsOfTheEmbeddedDatabase().map((line) => `${line};`)))
  const [, database = ''] = read('./compose.yaml').split('\n  postgres:\n')
  expect(database).toContain('./role.sql:/docker-entrypoint-initdb.d/role.sql:ro')
  expect(database).not.toContain('POSTGRES_USER')
})
