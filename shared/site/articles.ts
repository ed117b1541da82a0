/** For lists, previews and search engines. */
export interface ArticleEntry {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly publishedDate: string
  readonly readingMinutes: number
}

export const articles: readonly ArticleEntry[] = [
  {
    slug: 'brief-your-beacons',
    title: 'Brief your Beacons in fifteen minutes',
    description:
      'A run sheet for the quarter of an hour before the doors open: where to stand, what to say first, and when to stop.',
    publishedDate: '2026-11-09',
    readingMinutes: 4,
  },
  {
    slug: 'two-good-introductions',
    title: 'Two good introductions beat twenty handshakes',
    description:
      'How to introduce two strangers so that they are still talking when you have left: three sentences, and a clean way out.',
    publishedDate: '2026-10-20',
    readingMinutes: 4,
  },
  {
    slug: 'when-the-wifi-gives-up',
    title: 'Run the room when the wifi gives up',
    description:
      'Venue networks fail when the guests arrive. What to load before, what to decide without a network, and what can wait.',
    publishedDate: '2026-09-29',
    readingMinutes: 5,
  },
]

export function findArticle(slug: string | undefined): ArticleEntry | undefined {
  return articles.find((article) => article.slug === slug)
}

export function articlePath(slug: string): string {
  return `/blog/${slug}`
}
