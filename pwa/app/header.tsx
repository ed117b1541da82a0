import { ChevronDown, Menu, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { User } from '#shared/accounts/account-calls.ts'
import { hasPlans } from '../device/has-plans.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { initialsOf } from '../ui/initials.ts'
import { useLoadOnPress } from '../ui/load-on-press.ts'
import { Logo } from '../ui/logo.tsx'
import { ThemeToggle } from '../ui/page/theme-toggle.tsx'

interface NavItem {
  readonly to: string
  readonly label: string
  /** The link counts as current at these addresses; the default is its own. */
  readonly here?: RegExp
}

const nav: readonly NavItem[] = [
  { to: paths.home, label: 'Home' },
  // Only the public pages count as "Events".
  { to: paths.events, label: 'Events', here: /^\/events(\/\d+(\/apply)?)?$/ },
  { to: paths.howItWorks, label: 'How It Works' },
  ...(hasPlans() ? [{ to: paths.pricing, label: 'Pricing' }] : []),
  { to: paths.resources, label: 'Resources' },
]
const signedOutLinks: readonly NavItem[] = [
  { to: paths.auth, label: 'Sign In' },
  { to: `${paths.auth}#sign-up`, label: 'Sign Up' },
]
const myApplications = { to: paths.myApplications, label: 'Your Applications' }
const dashboard = { to: paths.dashboard, label: 'Dashboard' }
const profile = { to: paths.profile, label: 'Profile' }

const navLook =
  'inline-flex min-h-11 items-center rounded-lg px-3 font-medium text-hall-muted hover:text-hall-content aria-[current=page]:text-hall-signal'
const rowLook =
  'flex min-h-12 w-full cursor-pointer items-center rounded-lg px-3 text-left text-lg font-medium hover:bg-hall-raised aria-[current=page]:text-hall-signal'

interface HeaderProps {
  /** Null means signed out; undefined means that it is not known yet. */
  readonly user: User | null | undefined
  readonly hasApplied: boolean
  readonly syncBadge: ReactNode
  readonly onSignOut: () => void
}

function AccountButton({ username, ...props }: { readonly username: string } & ComponentProps<'button'>) {
  return (
    <button
      {...props}
      type="button"
      className="inline-flex min-h-11 cursor-pointer items-center gap-1 rounded-full py-1 pr-2 pl-1 hover:bg-hall-raised max-lg:hidden"
    >
      <span className="grid size-9 place-items-center rounded-full bg-hall-raised text-sm font-semibold uppercase ring-1 ring-hall-muted/40">
        {initialsOf([username], 2)}
      </span>
      <span className="sr-only">, account of {username}</span>
      <ChevronDown className="size-4 text-hall-muted" />
    </button>
  )
}

function Account({ user, onSignOut }: { user: User; onSignOut: () => void }) {
  const { username } = user
  /** The menu weighs as much as a small screen. */
  const [DropdownMenu, open] = useLoadOnPress(async () => (await import('../ui/dropdown-menu.tsx')).DropdownMenu)
  return (
    <>
      <ButtonLink to={dashboard.to} variant="hall" className="max-lg:hidden">
        {dashboard.label}
      </ButtonLink>
      {DropdownMenu ? (
        <DropdownMenu
          isOpenAtFirst
          heading={username}
          trigger={<AccountButton username={username} />}
          entries={[
            dashboard,
            profile,
            ...(user.isAdmin ? [{ to: paths.admin, label: 'Admin Dashboard' }] : []),
            { label: 'Sign Out', separated: true, onSelect: onSignOut },
          ]}
        />
      ) : (
        <AccountButton username={username} aria-haspopup="menu" aria-expanded={false} onClick={open} />
      )}
    </>
  )
}

/** On phones the navigation folds into a menu. */
export function Header({ user, hasApplied, syncBadge, onSignOut }: HeaderProps) {
  const { key, pathname } = useLocation()
  /** The location at which it was opened: any navigation closes it. */
  const [openAt, setOpenAt] = useState<string | null>(null)
  const open = openAt === key
  const menuId = useId()
  const menuButton = useRef<HTMLButtonElement>(null)
  const close = () => setOpenAt(null)
  const signedOut = user === null ? [...(hasApplied ? [myApplications] : []), ...signedOutLinks] : []

  useEffect(() => {
    if (openAt === null) return
    const listening = new AbortController()
    // The menu closes when a person goes back to where it was opened, before another page is drawn.
    window.addEventListener('popstate', () => setOpenAt(null), listening)
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return
        setOpenAt(null)
        menuButton.current?.focus()
      },
      listening,
    )
    return () => listening.abort()
  }, [openAt])

  const link = ({ to, label, here }: NavItem, className: string) => (
    <Link
      key={label}
      to={to}
      aria-current={(here ? here.test(pathname) : to === pathname) ? 'page' : undefined}
      onClick={close}
      className={className}
    >
      {label}
    </Link>
  )
  return (
    <header className="hall no-print bleed sticky top-0 z-30 bg-hall pt-(--safe-top) text-hall-content">
      <div className="mx-auto flex h-(--header-height) max-w-6xl items-center gap-1 pr-2 pl-4 sm:px-6">
        <Link
          to="/"
          onClick={close}
          className="mr-2 inline-flex min-h-11 items-center gap-2 rounded-lg text-xl font-bold tracking-tight"
        >
          <Logo />
          <span className="max-[20rem]:sr-only">Beaconry</span>
        </Link>
        <nav aria-label="Main" className="flex items-center max-lg:hidden">
          {nav.map((item) => link(item, navLook))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          {syncBadge}
          {user && <Account user={user} onSignOut={onSignOut} />}
          {signedOut.map(({ to, label }, index) => (
            <ButtonLink
              key={label}
              to={to}
              variant={index === signedOut.length - 1 ? 'primary' : 'hall'}
              className="max-lg:hidden"
            >
              {label}
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
            {open ? <X className="size-6" /> : <Menu className="size-6" />}
          </button>
        </div>
      </div>
      <div
        id={menuId}
        hidden={!open}
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-var(--header-height)-var(--safe-top))] overflow-y-auto overscroll-contain border-t border-hall-raised bg-hall px-[calc(0.75rem+var(--safe-x))] pt-3 pb-[calc(1rem+var(--safe-bottom))] shadow-float lg:hidden"
      >
        <nav aria-label="Menu">
          {nav.map((item) => link(item, rowLook))}
          <hr className="my-2 border-hall-raised" />
          {user && (
            <>
              {link(dashboard, rowLook)}
              {link(profile, rowLook)}
              <button
                type="button"
                className={rowLook}
                onClick={() => {
                  close()
                  onSignOut()
                }}
              >
                Sign Out
              </button>
            </>
          )}
          {signedOut.map(({ to, label }) => (
            <Link key={label} to={to} onClick={close} className={rowLook}>
              {label}
            </Link>
          ))}
        </nav>
        <div className="mt-3 px-3">
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}
