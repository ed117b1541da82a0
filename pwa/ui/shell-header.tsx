import { ChevronDown, Menu, X } from 'lucide-react'
import { Suspense, useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { ButtonLink } from './button.tsx'
import type { MenuEntry } from './dropdown-menu.tsx'
import { FailureBoundary, loadable } from './failure-boundary.tsx'
import { Logo } from './logo.tsx'

export interface NavItem {
  to: string
  label: string
  /** Addresses at which the link counts as current; default: its own. */
  here?: RegExp | undefined
}

export interface ShellUser {
  username: string
  /** The first two letters of the username. */
  initials: string
  dashboard: NavItem
  /** The avatar's menu on wide screens. */
  menu: MenuEntry[]
  mobileMenu: ({ to: string; label: string } | { label: string; onSelect: () => void })[]
}

export interface ShellHeaderProps {
  nav: NavItem[]
  /** Null: signed out; undefined: unknown yet. */
  user: ShellUser | null | undefined
  signedOut: NavItem[]
  syncBadge?: ReactNode | undefined
  themeToggle?: ReactNode | undefined
}

const navLook =
  'inline-flex min-h-11 items-center rounded-lg px-3 font-medium text-hall-muted hover:text-hall-content aria-[current=page]:text-hall-signal'
const rowLook =
  'flex min-h-12 w-full cursor-pointer items-center rounded-lg px-3 text-left text-lg font-medium hover:bg-hall-raised aria-[current=page]:text-hall-signal'

const current = ({ to, here }: NavItem, pathname: string) =>
  (here ? here.test(pathname) : to === pathname) ? ('page' as const) : undefined

/** It weighs as much as a small screen: visitors never load it, organizers a moment after the page. */
const DropdownMenu = loadable(async () => (await import('./dropdown-menu.tsx')).DropdownMenu)

function Account({ user }: { user: ShellUser }) {
  const { key } = useLocation()
  const button = (
    <button
      type="button"
      className="inline-flex min-h-11 cursor-pointer items-center gap-1 rounded-full py-1 pr-2 pl-1 hover:bg-hall-raised max-lg:hidden"
    >
      <span className="grid size-9 place-items-center rounded-full bg-hall-raised text-sm font-semibold uppercase ring-1 ring-hall-muted/40">
        {user.initials}
      </span>
      <span className="sr-only">, account of {user.username}</span>
      <ChevronDown aria-hidden="true" className="size-4 text-hall-muted" />
    </button>
  )
  return (
    <>
      <ButtonLink to={user.dashboard.to} variant="hall" className="max-lg:hidden">
        {user.dashboard.label}
      </ButtonLink>
      <FailureBoundary of={key} renderInstead={() => button}>
        <Suspense fallback={button}>
          <DropdownMenu heading={user.username} entries={user.menu} trigger={button} />
        </Suspense>
      </FailureBoundary>
    </>
  )
}

/** On phones the navigation folds into a menu. */
export function ShellHeader(props: ShellHeaderProps) {
  const { nav, user, signedOut, syncBadge, themeToggle } = props
  const { key, pathname } = useLocation()
  /** The location at which it was opened: any navigation closes it. */
  const [openAt, setOpenAt] = useState<string | null>(null)
  const open = openAt === key
  const menuId = useId()
  const menuButton = useRef<HTMLButtonElement>(null)
  const close = () => setOpenAt(null)

  useEffect(() => {
    if (openAt === null) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpenAt(null)
      menuButton.current?.focus()
    }
    // Back to where it was opened, and before another page was drawn.
    const onBack = () => setOpenAt(null)
    window.addEventListener('popstate', onBack)
    document.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('popstate', onBack)
      document.removeEventListener('keydown', onKey)
    }
  }, [openAt])

  return (
    <header className="hall no-print sticky top-0 z-30 bg-hall pt-(--safe-top) text-hall-content">
      <div className="mx-auto flex h-(--header-height) max-w-6xl items-center gap-1 pr-2 pl-4 sm:px-6">
        <Link
          to="/"
          onClick={close}
          className="mr-2 inline-flex min-h-11 items-center gap-2 rounded-lg text-xl font-bold tracking-tight"
        >
          <Logo />
          Beaconry
        </Link>
        <nav aria-label="Main" className="flex items-center max-lg:hidden">
          {nav.map((item) => (
            <Link key={item.to} to={item.to} aria-current={current(item, pathname)} className={navLook}>
              {item.label}
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          {syncBadge}
          {user && <Account user={user} />}
          {user === null &&
            signedOut.map((item, index) => (
              <ButtonLink
                key={item.label}
                to={item.to}
                variant={index === signedOut.length - 1 ? 'primary' : 'hall'}
                className="max-lg:hidden"
              >
                {item.label}
              </ButtonLink>
            ))}
          <button
            ref={menuButton}
            type="button"
            aria-expanded={open}
            aria-controls={menuId}
            aria-label={open ? 'Close menu' : 'Open menu'}
            onClick={() => setOpenAt(open ? null : key)}
            className="grid size-11 cursor-pointer place-items-center rounded-lg hover:bg-hall-raised lg:hidden"
          >
            {open ? <X aria-hidden="true" className="size-6" /> : <Menu aria-hidden="true" className="size-6" />}
          </button>
        </div>
      </div>
      <div
        id={menuId}
        hidden={!open}
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-var(--header-height)-var(--safe-top))] overflow-y-auto overscroll-contain border-t border-hall-raised bg-hall p-3 pb-[calc(1rem+var(--safe-bottom))] shadow-float lg:hidden"
      >
        <nav aria-label="Menu">
          {nav.map((item) => (
            <Link key={item.to} to={item.to} aria-current={current(item, pathname)} onClick={close} className={rowLook}>
              {item.label}
            </Link>
          ))}
          <hr className="my-2 border-hall-raised" />
          {user?.mobileMenu.map((entry) =>
            'to' in entry ? (
              <Link
                key={entry.label}
                to={entry.to}
                aria-current={current(entry, pathname)}
                onClick={close}
                className={rowLook}
              >
                {entry.label}
              </Link>
            ) : (
              <button
                key={entry.label}
                type="button"
                className={rowLook}
                onClick={() => {
                  close()
                  entry.onSelect()
                }}
              >
                {entry.label}
              </button>
            ),
          )}
          {user === null &&
            signedOut.map((item) => (
              <Link key={item.label} to={item.to} onClick={close} className={rowLook}>
                {item.label}
              </Link>
            ))}
        </nav>
        {themeToggle && <div className="mt-3 px-3">{themeToggle}</div>}
      </div>
    </header>
  )
}
