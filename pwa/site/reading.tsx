import { Plus } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatDate } from '#shared/time/date-range.ts'
import { Page } from '../ui/page.tsx'

/** `[words](/address)` is a link, `**words**` are stressed. */
export type RichText = string

export interface Passage {
  readonly heading?: string
  readonly body: readonly (
    | RichText
    | { readonly list: readonly RichText[] }
    | { readonly steps: readonly RichText[] }
  )[]
}

const link = 'underline decoration-edge underline-offset-4 hover:decoration-base-content'
const inlineMarkup = /\[([^\]]+)\]\(([^)]+)\)|\*\*(.+?)\*\*/g

/** `//host`, however it is spelled, looks like a page of this site and leaves it. */
function misleads(address: string): boolean {
  const here = 'https://here.invalid'
  if (/^[a-z][a-z\d+.-]*:/i.test(address)) return false
  return !URL.canParse(address, here) || new URL(address, here).origin !== here
}

export function Rich({ text }: { text: RichText }) {
  const parts = []
  let at = 0
  for (const found of text.matchAll(inlineMarkup)) {
    const [whole, words, address, stressed] = found
    parts.push(text.slice(at, found.index))
    parts.push(
      address === undefined ? (
        <strong key={found.index} className="font-semibold">
          {stressed}
        </strong>
      ) : misleads(address) ? (
        words
      ) : (
        <Link key={found.index} to={address} className={link}>
          {words}
        </Link>
      ),
    )
    at = found.index + whole.length
  }
  return (
    <>
      {parts.map((part, index) => (
        // A text never changes while it is shown.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>{part}</Fragment>
      ))}
      {text.slice(at)}
    </>
  )
}

/** 'Who else gets data' → 'who-else-gets-data' */
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

export const Parts = ({ body }: Pick<Passage, 'body'>) => (
  <>
    {body.map((part) => (
      <Part key={typeof part === 'string' ? part : JSON.stringify(part)} part={part} />
    ))}
  </>
)

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
          <Parts body={body} />
        </section>
      ))}
    </div>
  )
}

/** Each heading is a question. The browser's own search finds closed answers too. */
export function Questions({ questions, firstOpen = false }: { questions: readonly Passage[]; firstOpen?: boolean }) {
  return (
    <div className="border-t border-base-300">
      {questions.map(({ heading, body }, index) => (
        <details key={heading} open={firstOpen && index === 0} className="group border-b border-base-300">
          <summary className="flex min-h-14 cursor-pointer list-none items-center gap-4 py-3 text-lg font-semibold hover:text-signal [&::-webkit-details-marker]:hidden">
            <h3 className="flex-1 text-lg tracking-normal">{heading}</h3>
            <Plus className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-45" />
          </summary>
          <div className="flex max-w-prose flex-col gap-3 pr-9 pb-5 text-muted">
            <Parts body={body} />
          </div>
        </details>
      ))}
    </div>
  )
}

export function LegalText(props: {
  title: string
  updatedDate: string
  passages: readonly Passage[]
  children?: ReactNode
}) {
  const { title, updatedDate, passages, children } = props
  const headings = passages.flatMap(({ heading }) => heading ?? [])
  return (
    <Page title={title} lead={`Last edited ${formatDate(updatedDate)}`}>
      <div className="grid gap-x-14 gap-y-8 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-label="On this page" className="max-lg:hidden lg:sticky lg:top-24 lg:self-start">
          <ul>
            {headings.map((heading) => (
              <li key={heading}>
                <a
                  href={`#${anchorOf(heading)}`}
                  className="flex min-h-11 items-center text-muted hover:text-base-content hover:underline"
                >
                  {heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          {children}
          <Passages passages={passages} />
        </div>
      </div>
    </Page>
  )
}
