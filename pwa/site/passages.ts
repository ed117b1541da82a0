import type { Passage } from './reading.tsx'

/**
 * Reads the markup of longer texts: blocks between blank lines are paragraphs, lines that begin with '- ' are a list, with
 * '1. ' steps, and '## ' begins a passage with a heading.
 */
export function passagesOf(text: string): Passage[] {
  const passages: { heading?: string; body: Passage['body'][number][] }[] = []
  for (const block of text.split(/\n\s*\n/).map((part) => part.trim())) {
    if (block === '') continue
    const [first = '', ...rest] = block.split('\n')
    const heading = /^#+\s+(.+)$/.exec(first)?.[1]
    if (heading !== undefined) passages.push({ heading, body: [] })
    else if (passages.length === 0) passages.push({ body: [] })
    const words = heading === undefined ? block : rest.join('\n').trim()
    if (words !== '') passages.at(-1)?.body.push(partOf(words))
  }
  return passages
}

const kinds = [
  { kind: 'list', mark: /^[-*]\s+/ },
  { kind: 'steps', mark: /^\d+[.)]\s+/ },
] as const

function partOf(block: string): Passage['body'][number] {
  const lines = block.split('\n').map((line) => line.trim())
  for (const { kind, mark } of kinds) {
    if (!lines.every((line) => mark.test(line))) continue
    const items = lines.map((line) => line.replace(mark, ''))
    return kind === 'list' ? { list: items } : { steps: items }
  }
  return lines.join(' ')
}
