import { expect, it, vi } from 'vitest'
import { outbox } from '../queue/outbox.ts'
import { pagesName, replicaName } from '../replica/replica-names.ts'

const copy = pagesName(replicaName({ userId: 1, copy: 'e' }, 'layout'))
const isKept = async () => (await indexedDB.databases()).some(({ name }) => name === copy)

async function leaveTab(): Promise<void> {
  vi.resetModules()
  const { closeAccount, pullAccount } = await import('./open-account.ts')
  closeAccount()
  await pullAccount()
}

it('a tab that leaves late keeps the copy of whoever another tab has signed in', async () => {
  const request = indexedDB.open(copy)
  await new Promise((resolve) => (request.onsuccess = resolve))
  request.result.close()
  await outbox.signedIn(1)
  await leaveTab()
  expect(await isKept()).toBe(true)
  await outbox.signedOut()
  await leaveTab()
  expect(await isKept()).toBe(false)
})
