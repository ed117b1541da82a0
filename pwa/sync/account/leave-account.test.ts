import { expect, it, vi } from 'vitest'
import { outboxStore } from '../queue/store/opened-outbox.ts'
import { keepLeftChange } from '../replica/left-changes.ts'
import { add, queuedEntry } from '../testing/queued-entry.ts'
import { textStorage } from '../testing/text-storage.ts'
import { forgetAccount } from './leave-account.ts'

it('keeps what waits for the account, saved or not, but for the changes that are discarded', async () => {
  vi.stubGlobal('localStorage', textStorage())
  await add(outboxStore, [queuedEntry('a')])
  keepLeftChange({ key: 'b', userId: 1, mutation: 'decide-application', args: {}, argsVersion: 1 })
  const waiting = async () => [(await outboxStore.entriesOf(1)).length, localStorage.getItem('beaconry-changes')]
  await forgetAccount(1, ['of another question'])
  expect(await waiting()).toEqual([1, expect.stringContaining('"key":"b"')])
  await forgetAccount(1, ['a', 'b'])
  expect(await waiting()).toEqual([0, null])
})
