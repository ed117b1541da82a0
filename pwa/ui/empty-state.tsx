import type { ReactNode } from 'react'
import { Illustration } from './illustration.tsx'
import type { IllustrationName } from './illustration.tsx'

export function EmptyState(props: {
  illustration: IllustrationName
  title: ReactNode
  level?: 1 | 2 | 3 | undefined
  children?: ReactNode | undefined
  action?: ReactNode | undefined
}) {
  const { illustration, title, level = 2, children, action } = props
  const Heading = `h${level}` as 'h1' | 'h2' | 'h3'
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-4 py-8 text-center [overflow-wrap:anywhere] sm:py-12">
      <Illustration name={illustration} className="h-32 w-48 sm:h-36 sm:w-54" />
      <Heading className="mt-5 text-2xl">{title}</Heading>
      {children && <p className="mt-2 text-muted">{children}</p>}
      {action && <div className="mt-6 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  )
}
