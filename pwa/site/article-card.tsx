import type { ArticleEntry } from '#shared/site/articles.ts'
import { formatDate } from '#shared/time/date-range.ts'
import { paths } from '../paths.ts'
import { Card, CardLink } from '../ui/card.tsx'

export function ArticleFacts({ article }: { article: ArticleEntry }) {
  return (
    <p className="text-sm text-muted">
      <time dateTime={article.publishedDate}>{formatDate(article.publishedDate)}</time> · {article.readingMinutes} min
      read
    </p>
  )
}

export function ArticleCard({ article }: { article: ArticleEntry }) {
  return (
    <Card as="li" className="transition-colors duration-150 hover:border-edge">
      <ArticleFacts article={article} />
      <h2 className="mt-1 text-2xl">
        <CardLink to={paths.article(article.slug)}>{article.title}</CardLink>
      </h2>
      <p className="mt-2 max-w-prose text-muted">{article.description}</p>
    </Card>
  )
}
