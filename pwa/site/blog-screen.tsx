import { articles } from '#shared/site/articles.ts'
import { Page } from '../ui/page.tsx'
import { ArticleCard } from './article-card.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'

export function BlogScreen() {
  usePageTitle('Blog')
  return (
    <Page title="Blog" lead="Practical notes on running rooms in which people meet." width="text">
      <ul className="flex flex-col gap-4">
        {articles.map((article) => (
          <ArticleCard key={article.slug} article={article} />
        ))}
      </ul>
    </Page>
  )
}
