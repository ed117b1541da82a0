import { LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Logo } from './logo.tsx'
import { SkipLink } from './page.tsx'

/** For pages with one task; `assurance` says why the page is safe. */
export function QuietShell({
  home,
  assurance,
  footer,
  links,
  children,
}: {
  home: string
  assurance: string
  footer: ReactNode
  links: readonly { readonly to: string; readonly label: string }[]
  children: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="hall no-print sticky top-0 z-30 bg-hall pt-(--safe-top) text-hall-content">
        <div className="mx-auto flex h-(--header-height) max-w-6xl items-center justify-between gap-3 px-4 sm:px-6">
          <Link
            to={home}
            className="inline-flex min-h-11 items-center gap-2 rounded-lg text-xl font-bold tracking-tight"
          >
            <Logo />
            Beaconry
          </Link>
          <p className="flex items-center gap-2 text-sm text-hall-muted">
            <LockKeyhole aria-hidden="true" className="size-4 shrink-0" />
            {assurance}
          </p>
        </div>
      </header>
      {/* As high as the window: the footer comes into sight by scrolling, never by a page that is still arriving. */}
      <main id="main" tabIndex={-1} className="min-h-[calc(100dvh-var(--header-height)-var(--safe-top))] flex-1">
        {children}
      </main>
      <footer className="no-print border-t border-base-300 pb-(--safe-bottom) text-sm">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 px-4 py-2 sm:px-6">
          <p className="py-2 text-muted">{footer}</p>
          <nav aria-label="Legal" className="-ml-2 flex gap-2">
            {links.map(({ to, label }) => (
              <Link
                key={to}
                to={to}
                className="inline-flex min-h-11 min-w-11 items-center rounded-md px-2 text-muted hover:text-base-content hover:underline"
              >
                {label}
              </Link>
            ))}
          </nav>
        </div>
      </footer>
    </div>
  )
}
