import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

const widths = { narrow: 'max-w-xl', text: 'max-w-3xl', wide: 'max-w-6xl' }

export function SkipLink() {
  return (
    <a
      href="#main"
      className="btn btn-primary fixed top-(--safe-top) left-(--safe-x) z-70 m-2 -translate-y-40 text-base focus:translate-y-0 no-print"
    >
      Skip to content
    </a>
  )
}

export function Page(props: {
  title?: ReactNode | undefined
  titleAside?: ReactNode | undefined
  lead?: ReactNode | undefined
  back?: { to: string; label: string } | undefined
  width?: keyof typeof widths | undefined
  children?: ReactNode | undefined
}) {
  const { title, titleAside, lead, back, width = 'wide', children } = props
  return (
    <div className={`mx-auto w-full px-4 py-6 sm:px-6 sm:py-10 ${widths[width]}`}>
      {back && (
        <Link
          to={back.to}
          className="no-print -mt-3 mb-2 inline-flex min-h-11 [overflow-wrap:anywhere] items-center gap-1.5 rounded-md text-muted hover:text-base-content hover:underline"
        >
          <ArrowLeft className="size-4" />
          {back.label}
        </Link>
      )}
      {(title || titleAside) && (
        <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="min-w-0 flex-[1_1_20rem] [overflow-wrap:anywhere]">
            {title && <h1 className="text-2xl sm:text-4xl">{title}</h1>}
            {lead && <div className="mt-1.5 text-base text-muted sm:text-lg">{lead}</div>}
          </div>
          {titleAside && <div className="no-print flex flex-wrap items-center gap-2">{titleAside}</div>}
        </div>
      )}
      {children}
    </div>
  )
}

export function Section(props: { id?: string | undefined; title: ReactNode; aside?: ReactNode; children: ReactNode }) {
  const { id, title, aside, children } = props
  return (
    <section aria-labelledby={id} className="mt-10 first:mt-0">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="text-2xl [overflow-wrap:anywhere]">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
