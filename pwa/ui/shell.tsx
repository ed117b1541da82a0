import type { ReactNode } from 'react'
import { ShellFooter } from './shell-footer.tsx'
import type { FooterGroup } from './shell-footer.tsx'
import { ShellHeader } from './shell-header.tsx'
import type { ShellHeaderProps } from './shell-header.tsx'

export interface ShellProps extends ShellHeaderProps {
  footer: FooterGroup[]
  /** The year of the copyright line. */
  year: number
  /** A quiet line under the header: offline, an update is ready, as of 10:42. */
  notice?: ReactNode | undefined
  children: ReactNode
}

/** What every screen stands in: skip link, header, the main landmark, footer. Presentational. */
export function Shell({ footer, year, notice, children, ...header }: ShellProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="btn btn-primary fixed top-2 left-2 z-70 -translate-y-20 text-base focus:translate-y-0 no-print"
      >
        Skip to content
      </a>
      <ShellHeader {...header} />
      {notice}
      {/* As high as the window: the footer comes into sight by scrolling, never by a page that is still arriving. */}
      <main
        id="main"
        tabIndex={-1}
        className="min-h-[calc(100dvh-var(--header-height)-var(--safe-top))] flex-1 print:min-h-0"
      >
        {children}
      </main>
      <ShellFooter groups={footer} year={year} aside={header.themeToggle} />
    </div>
  )
}

/** The line for `notice`: calm, one row, with at most one thing to press. */
export function NoticeLine({ icon, children, action }: { icon?: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="no-print border-b border-base-300 bg-quiet-soft text-sm">
      <div className="mx-auto flex min-h-10 max-w-6xl items-center gap-2.5 px-4 py-1 sm:px-6">
        {icon}
        <output className="min-w-0 flex-1">{children}</output>
        {action}
      </div>
    </div>
  )
}
