import { expect, it } from 'vitest'
import { blockedWords } from '../../scripts/checks/built-chunks.mjs'
import { endpoints } from './endpoints.ts'

/** These addresses are specified. */
const specified: readonly string[] = [endpoints.getAdminStats]

it('no call has an address that content blockers refuse', () => {
  const blocked = Object.values(endpoints).filter((address) => blockedWords.test(address))
  expect(blocked).toEqual(specified)
})
