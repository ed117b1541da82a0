import { expect, it } from 'vitest'
import { createProgress } from './progress.ts'

it('progress that another tab wrote down never takes this one back', () => {
  const progress = createProgress()
  progress.reach({ org: 10 })
  expect([progress.isComplete(), progress.appliedVersion()]).toEqual([false, 10])
  progress.follow({ org: 9, account: 1 })
  expect(progress.heads()).toEqual({ org: 10, account: 1 })
  expect(progress.isComplete()).toBe(true)
})
