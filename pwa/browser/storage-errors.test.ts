import { expect, it } from 'vitest'
import { isDeadConnection, isQuotaError } from './storage-errors.ts'

it('a full disk is recognised in both of its disguises', () => {
  const quota = Object.assign(new Error('full'), { name: 'QuotaExceededError' })
  expect(isQuotaError(quota)).toBe(true)
  expect(isQuotaError(Object.assign(new Error('aborted'), { name: 'AbortError', inner: quota }))).toBe(true)
  expect(isQuotaError(Object.assign(new Error('aborted'), { name: 'AbortError' }))).toBe(false)
  expect(isQuotaError(null)).toBe(false)
})

it('a connection that died is told from a database that refuses', () => {
  expect(isDeadConnection(new DOMException('The connection is closing', 'InvalidStateError'))).toBe(true)
  expect(isDeadConnection(new DOMException('Connection to Indexed Database server lost', 'UnknownError'))).toBe(true)
  expect(isDeadConnection(new DOMException('Internal error', 'UnknownError'))).toBe(false)
  expect(isDeadConnection(new DOMException('full', 'QuotaExceededError'))).toBe(false)
})
