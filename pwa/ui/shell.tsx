import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Logo } from './logo.tsx'
import { SkipLink } from './page.tsx'
import { ShellHeader, type ShellHeaderProps } from './shell-header.tsx'

export interface ShellProps extends ShellHeaderProps {
  footer: FooterGroup[]
  year: number
  /** A line under the header: offline, an update is ready. */
  notice?: ReactNode | undefined
  children: ReactNode
}

export function Shell({ footer, year, notice, children, ...header }: ShellProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
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

/** For `notice`: one row with at most one action. */
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

/** No alarm: everything seen before is on the device. */
export function OfflineLine() {
  return (
    <NoticeLine icon={<WifiOff aria-hidden="true" className="size-4 shrink-0 text-muted" />}>
      Offline. You see what is saved on this device.
    </NoticeLine>
  )
}

interface FooterGroup {
  heading: string
  links: { to: string; label: string }[]
}

function ShellFooter({ groups, year, aside }: { groups: FooterGroup[]; year: number; aside?: ReactNode }) {
  return (
    <footer className="no-print mt-10 border-t border-base-300 pb-(--safe-bottom)">
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-8 px-4 py-10 sm:px-6 md:grid-cols-[1fr_auto]">
        <div className="flex flex-col items-start gap-5">
          <p className="flex items-center gap-2 text-lg font-bold tracking-tight">
            <Logo className="size-7" />
            Beaconry
          </p>
          {aside}
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-x-4 gap-y-6 md:grid-cols-3 md:gap-x-10">
          {groups.map((group) => (
            <nav key={group.heading} aria-label={group.heading}>
              <h2 className="text-base font-semibold tracking-normal">{group.heading}</h2>
              <ul className="mt-1">
                {group.links.map((link) => (
                  <li key={link.to}>
                    <Link
                      to={link.to}
                      className="inline-flex min-h-11 min-w-24 items-center text-muted hover:text-base-content hover:underline"
                    >
                      {link.label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <p className="text-sm text-muted md:col-span-2">© {year} Beaconry</p>
      </div>
    </footer>
  )
}
