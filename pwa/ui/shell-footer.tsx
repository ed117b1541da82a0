import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Logo } from './logo.tsx'

export interface FooterGroup {
  heading: string
  links: { to: string; label: string }[]
}

/** Where else to go, and whose product this is. */
export function ShellFooter({
  groups,
  year,
  aside,
  name = 'Beaconry',
}: {
  groups: FooterGroup[]
  year: number
  aside?: ReactNode
  name?: string | undefined
}) {
  return (
    <footer className="no-print mt-10 border-t border-base-300 pb-(--safe-bottom)">
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-8 px-4 py-10 sm:px-6 md:grid-cols-[1fr_auto]">
        <div className="flex flex-col items-start gap-5">
          <p className="flex items-center gap-2 text-lg font-bold tracking-tight">
            <Logo className="size-7" />
            {name}
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
        <p className="text-sm text-muted md:col-span-2">
          © {year} {name}
        </p>
      </div>
    </footer>
  )
}
