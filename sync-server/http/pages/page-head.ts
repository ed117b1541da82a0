import type { PublicEvent } from '#shared/events/event-calls.ts'
import { siteName, toldEventId } from '#shared/site/pages.ts'

/** What search engines and link previews are told about a page. */
export interface PageHead {
  /** As the browser's tab shows it. */
  readonly title: string
  readonly description: string
  /** Absolute; null for pages that search engines shall leave alone. */
  readonly canonical: string | null
  readonly type?: 'website' | 'article'
  /** Absolute address of a picture of 1200 × 630. */
  readonly image: string
  /** Facts in schema.org's words. */
  readonly facts?: object
}

const GENERIC = /<title>[^<]*<\/title>(\s*<meta\s+name="description"[^>]*>)?/

/**
 * The shell with a page's own head in place of its generic title and description, with the scripts that page needs
 * announced, and with the event it is about. A shell without a title keeps its own head.
 */
export function insertHead(
  shell: string,
  head: PageHead,
  scripts: readonly string[] = [],
  event?: PublicEvent,
): string {
  const announced = scripts.map((href) => `\n    <link rel="modulepreload" crossorigin href="${escapeHtml(href)}" />`)
  const told = event ? `\n    <script type="application/json" id="${toldEventId}">${scriptText(event)}</script>` : ''
  return shell
    .replace(GENERIC, () => headHtml(head))
    .replace('</head>', () => `${announced.join('')}${told}\n  </head>`)
}

function headHtml({ title, description, canonical, type = 'website', image, facts }: PageHead): string {
  const lines = [`<title>${escapeHtml(title)}</title>`, meta('name', 'description', description)]
  if (canonical === null) return [...lines, meta('name', 'robots', 'noindex')].join('\n    ')
  return [
    ...lines,
    `<link rel="canonical" href="${escapeHtml(canonical)}" />`,
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:type', type),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', canonical),
    meta('property', 'og:image', image),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', 'A dim hall full of people; three of them stand under a lamp'),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...(facts ? [`<script type="application/ld+json">${scriptText(facts)}</script>`] : []),
  ].join('\n    ')
}

const meta = (attribute: 'name' | 'property', name: string, content: string) =>
  `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** JSON that cannot end the script it stands in. */
function scriptText(value: object): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
