import type { Passage } from '../content/content.ts'
import { Rich } from './rich.tsx'

/** The address of a passage inside its page: 'Who else gets data' → 'who-else-gets-data'. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function Part({ part }: { part: Passage['body'][number] }) {
  if (typeof part === 'string') {
    return (
      <p>
        <Rich text={part} />
      </p>
    )
  }
  const [List, look, items] =
    'steps' in part ? (['ol', 'list-decimal', part.steps] as const) : (['ul', 'list-disc', part.list] as const)
  return (
    <List className={`flex flex-col gap-2.5 pl-6 marker:text-muted ${look}`}>
      {items.map((item) => (
        <li key={item} className="pl-1">
          <Rich text={item} />
        </li>
      ))}
    </List>
  )
}

/** A text to be read: lines of a comfortable length, air above each heading. */
export function Passages({ passages }: { passages: readonly Passage[] }) {
  return (
    <div className="flex max-w-prose flex-col gap-10">
      {passages.map(({ heading, body }) => (
        <section
          key={heading ?? 'first'}
          aria-labelledby={heading && anchorOf(heading)}
          className="flex flex-col gap-4"
        >
          {heading && (
            <h2 id={anchorOf(heading)} className="text-2xl">
              {heading}
            </h2>
          )}
          {body.map((part) => (
            <Part key={typeof part === 'string' ? part : JSON.stringify(part)} part={part} />
          ))}
        </section>
      ))}
    </div>
  )
}
