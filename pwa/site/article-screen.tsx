import { useParams } from 'react-router-dom'
import { articles, findArticle, type ArticleEntry } from '#shared/site/articles.ts'
import { articleTexts } from './article-texts.ts'
import { passagesOf } from './passages.ts'
import { Passages } from './reading.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { ArticleCard, ArticleFacts } from './article-card.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'

function Article({ article }: { article: ArticleEntry }) {
  usePageTitle(article.title)
  const others = articles.filter(({ slug }) => slug !== article.slug)
  return (
    <Page back={{ to: paths.blog, label: 'Blog' }} width="text">
      <article>
        <header className="mb-8 sm:mb-10">
          <h1 className="text-3xl sm:text-5xl">{article.title}</h1>
          <p className="mt-4 mb-3 text-lg text-muted sm:text-xl">{article.description}</p>
          <ArticleFacts article={article} />
        </header>
        <div className="text-lg">
          <Passages passages={passagesOf(articleTexts[article.slug] ?? '')} />
        </div>
      </article>
      <section aria-label="More articles" className="no-print mt-14 border-t-2 border-base-content pt-6">
        <ul className="grid gap-4 sm:grid-cols-2">
          {others.map((other) => (
            <ArticleCard key={other.slug} article={other} />
          ))}
        </ul>
      </section>
    </Page>
  )
}

function NoArticle() {
  usePageTitle('404 Page Not Found')
  return (
    <EmptyState
      illustration="lost"
      level={1}
      title="404 Page Not Found"
      action={<ButtonLink to={paths.blog}>All Articles</ButtonLink>}
    >
      There is no article at this address. The link may be old or mistyped.
    </EmptyState>
  )
}

export function ArticleScreen() {
  const article = findArticle(useParams()['slug'])
  return article ? <Article article={article} /> : <NoArticle />
}
