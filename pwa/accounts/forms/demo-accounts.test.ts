import { describe, expect, it } from 'vitest'
import { readAccounts } from './demo-accounts.tsx'

const olivia = { role: 'Organizer', email: 'olivia@example.com', password: 'beaconry-demo' }

describe('the demo accounts on the sign-in page', () => {
  it('are those the server lists', () => {
    expect(readAccounts([olivia])).toEqual([olivia])
  })

  it.each([
    ['a portal that answers anything with JSON', { login: 'please' }],
    ['an empty answer', null],
    ['entries that are no accounts', [{ role: 'Organizer' }, 'olivia', null]],
  ])('stay away for %s', (_, answer) => {
    expect(readAccounts(answer)).toEqual([])
  })
})
