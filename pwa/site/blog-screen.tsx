import { articles } from '#shared/site/articles.ts'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { ArticleCard } from './article-card.tsx'

export function BlogScreen() {
  return (
    <TitledPage title="Blog" lead="Practical notes on running rooms where people meet." width="text">
      <ul className="flex flex-col gap-4">
        {articles.map((article) => (
          <ArticleCard key={article.slug} article={article} />
        ))}
      </ul>
    </TitledPage>
  )
}
