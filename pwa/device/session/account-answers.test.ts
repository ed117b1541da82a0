import type { User } from '#shared/accounts/account-calls.ts'
import { beforeEach, expect, it } from 'vitest'
import { inMemoryOfAccount } from './account-answers.ts'
import { sessionState } from './session-state.ts'

const signIn = (id: number) => sessionState.set({ state: 'signed-in', user: { id } as User })
const asOf = '2026-11-21T10:00:00.000Z'
const keep = (name: string, value: string) => inMemoryOfAccount<string>(name).keep({ value, asOf })
const kept = (name: string) => inMemoryOfAccount<string>(name).readNow()?.value

beforeEach(() => sessionState.set({ state: 'signed-out', user: null }))

it('is there again as long as the same person is signed in, also when their session has ended', () => {
  signIn(1)
  keep('payments', 'three')
  expect(inMemoryOfAccount('payments').readNow()).toEqual({ value: 'three', asOf })
  sessionState.set({ state: 'ended', user: { id: 1 } as User })
  expect([kept('payments'), kept('mails')]).toEqual(['three', undefined])
})

it('is gone when somebody else is signed in, or nobody, and does not come back', () => {
  signIn(1)
  keep('payments', 'three')
  signIn(2)
  expect(kept('payments')).toBeUndefined()
  keep('payments', 'none')
  sessionState.set({ state: 'signed-out', user: null })
  signIn(1)
  expect(kept('payments')).toBeUndefined()
})

it('keeps what was asked for last', () => {
  signIn(1)
  for (let event = 0; event < 60; event++) {
    keep(`mails/${event}`, 'mails')
    keep('payments', 'three')
  }
  expect([kept('mails/59'), kept('payments'), kept('mails/0')]).toEqual(['mails', 'three', undefined])
})
