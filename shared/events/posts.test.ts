import { expect, it } from 'vitest'
import { groupByPost, postsOf } from './posts.ts'

it('posts are the lines that hold something, each once, cut to what a button shows', () => {
  expect(postsOf({ posts: ' Door 6–8 PM \n\nBar\r\nDoor 6–8 PM\n' })).toEqual(['Door 6–8 PM', 'Bar'])
  expect(postsOf({ posts: null })).toEqual([])
  expect(postsOf({ posts: 'x'.repeat(100) })).toEqual(['x'.repeat(80)])
  expect(postsOf({ posts: `${'x'.repeat(79)}🎟🎟` })).toEqual([`${'x'.repeat(79)}🎟`])
  expect(postsOf({ posts: Array.from({ length: 40 }, (_, at) => `Post ${at}`).join('\n') })).toHaveLength(30)
})

it('the board shows gaps, people at a post that was removed, and last those without one', () => {
  const people = [{ name: 'Ana', post: 'Bar' }, { name: 'Bo' }, { name: 'Cy', post: 'Stage' }]
  expect(groupByPost({ posts: 'Door\nBar' }, people)).toEqual([
    { post: 'Door', isListed: true, people: [] },
    { post: 'Bar', isListed: true, people: [people[0]] },
    { post: 'Stage', isListed: false, people: [people[2]] },
    { post: null, isListed: true, people: [people[1]] },
  ])
})
