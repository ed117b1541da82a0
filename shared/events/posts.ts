import { cutTo } from '../text/plain-text.ts'

/** Limits the characters of one post, and how many an event has. */
export const maxPostLength = 80
export const maxPosts = 30

/** Tells whether a text is short enough for a post; an emoji is one character. */
export const isPost = (text: string): boolean => cutTo(text, maxPostLength) === text

/** Lists an event's posts, which the organizer types one a line, such as "Door 6–8 PM". Each is listed once. */
export function postsOf({ posts }: { readonly posts: string | null }): string[] {
  const lines = (posts ?? '').split('\n').map((line) => cutTo(line.trim(), maxPostLength).trim())
  return [...new Set(lines.filter((line) => line !== ''))].slice(0, maxPosts)
}

interface Placed {
  readonly post?: string | undefined
}

export interface PostGroup<T> {
  /** It is null for people without a post. */
  readonly post: string | null
  /** It is false for a post that the event no longer has, where people still are. */
  readonly isListed: boolean
  readonly people: readonly T[]
}

/**
 * Shows who is where: every post in the organizer's order, also an empty one; then posts that were removed, then the
 * rest.
 */
export function groupByPost<T extends Placed>(
  event: { readonly posts: string | null },
  people: readonly T[],
): PostGroup<T>[] {
  const listed = postsOf(event)
  const groups = new Map<string | null, T[]>(listed.map((post) => [post, []]))
  for (const person of people) {
    const post = person.post ?? null
    const group = groups.get(post)
    if (group) group.push(person)
    else groups.set(post, [person])
  }
  const without = groups.get(null)
  groups.delete(null)
  const found = [...groups].map(([post, people]) => ({ post, people, isListed: listed.includes(post ?? '') }))
  return without ? [...found, { post: null, people: without, isListed: true }] : found
}
