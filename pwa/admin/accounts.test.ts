import { describe, expect, it } from 'vitest'
import type { AdminAccount } from '#shared/admin/admin-calls.ts'
import { arrangeAccounts, type AccountOrder } from './accounts.tsx'

const account = (id: number, username: string, more: Partial<AdminAccount> = {}): AdminAccount => ({
  id,
  username,
  email: `${username.toLowerCase()}@example.com`,
  organizationName: null,
  subscription: null,
  eventCount: 0,
  createdAt: `2026-0${id}-01T00:00:00.000Z`,
  isActive: false,
  ...more,
})
const accounts = [
  account(1, 'Olivia', { organizationName: 'Harbor Collective', eventCount: 3, isActive: true }),
  account(2, 'otto', { subscription: { planName: 'Single Event' }, eventCount: 3 }),
  account(3, 'Ada'),
]
const names = (search: string, order: AccountOrder) =>
  arrangeAccounts(accounts, search, order).map(({ username }) => username)

describe('the accounts an admin looks at', () => {
  it.each<[AccountOrder, string[]]>([
    ['newest', ['Ada', 'otto', 'Olivia']],
    ['oldest', ['Olivia', 'otto', 'Ada']],
    ['username', ['Ada', 'Olivia', 'otto']],
    ['events', ['Olivia', 'otto', 'Ada']],
  ])('come in the order %s', (order, expected) => expect(names('', order)).toEqual(expected))

  it.each([
    ['OTTO', ['otto']],
    ['collective harbor', ['Olivia']],
    ['no subscription', ['Olivia', 'Ada']],
    ['single', ['otto']],
    ['inactive ada@', ['Ada']],
    ['nobody', []],
  ])('are found by %s', (search, expected) => expect(names(search, 'oldest')).toEqual(expected))

  const named = [account(1, 'Nora'), account(2, 'Zoe'), account(3, 'Núñez'), account(4, 'Łukasz')]
  const foundNames = (search: string) => arrangeAccounts(named, search, 'username').map(({ username }) => username)

  it('are found by the plain letters of a name with accents', () => expect(foundNames('nunez')).toEqual(['Núñez']))

  it('are sorted by the plain letters of their names', () =>
    expect(foundNames('')).toEqual(['Łukasz', 'Nora', 'Núñez', 'Zoe']))
})
