import { expect, it } from 'vitest'
import { readContact } from './contact-screen.tsx'

it.each<[unknown, string | null | undefined]>([
  [{ email: 'help@harbor.example' }, 'help@harbor.example'],
  [{ email: null }, null],
  [{ email: 'javascript:alert(1)' }, undefined],
  [{ email: 7 }, undefined],
  [{}, undefined],
  ['help@harbor.example', undefined],
  [null, undefined],
])('takes %j for the address %s', (answer, email) => expect(readContact(answer)).toBe(email))
