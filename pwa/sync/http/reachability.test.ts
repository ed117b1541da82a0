import { beforeEach, expect, it } from 'vitest'
import { noteAnswered, noteUnanswered, reachability } from './reachability.ts'

beforeEach(() => {
  for (const question of ['pull events', 'pull applications']) noteAnswered(question)
})

it('one question that fails alone, while others are answered, does not count as no connection', () => {
  noteUnanswered('pull events')
  expect(reachability.get(), 'the first failure may be the network').toBe('unreachable')
  for (let round = 0; round < 3; round += 1) {
    noteAnswered('pull applications')
    noteUnanswered('pull events')
    expect(reachability.get()).toBe('reachable')
  }
})

it('a question that failed alone counts again where nothing else is answered, or in 5 minutes', () => {
  noteUnanswered('pull events', 0)
  noteAnswered('pull applications')
  noteUnanswered('pull events', 1000)
  noteUnanswered('pull events', 2000)
  expect(reachability.get()).toBe('unreachable')
  noteAnswered('pull applications')
  noteUnanswered('pull events', 400_000)
  expect(reachability.get()).toBe('unreachable')
})
