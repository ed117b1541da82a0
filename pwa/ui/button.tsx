import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Spinner } from './loading.tsx'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet' | 'hall' | 'chosen'

const looks: Record<ButtonVariant, string> = {
  /** Ink grounds have it: the header and the hero. */
  hall: 'btn-ghost bg-hall-raised text-hall-content hover:bg-hall-raised hover:text-hall-signal',
  primary: 'btn-primary',
  secondary: 'border-edge bg-base-100 hover:bg-base-200',
  /** The toggle is on. */
  chosen: 'border-transparent bg-secondary text-secondary-content hover:bg-secondary',
  ghost: 'btn-ghost hover:bg-base-content/8',
  danger: 'btn-error',
  'danger-quiet': 'border-edge bg-base-100 text-error hover:border-error hover:bg-error-soft',
}

const sizes = {
  small: 'text-base pointer-fine:px-3 pointer-fine:text-sm',
  normal: 'text-base',
  large: 'min-h-13 px-6 text-lg',
}

interface Look {
  variant?: ButtonVariant | undefined
  /** `large` is for a page's one main action, and `small` is narrower under a mouse. All are at least 44 px high. */
  size?: 'small' | 'normal' | 'large' | undefined
  wide?: boolean | undefined
  /** Without a frame its text is in line with what is above or below it, where the row begins or ends. */
  flush?: 'start' | 'end' | undefined
  icon?: ReactNode | undefined
}

/** Each is as wide as the padding. */
const flushes = {
  start: { small: '-ml-4 pointer-fine:-ml-3', normal: '-ml-4', large: '-ml-6' },
  end: { small: '-mr-4 pointer-fine:-mr-3', normal: '-mr-4', large: '-mr-6' },
}

function look({ variant = 'primary', size = 'normal', wide = false, flush }: Look, className = ''): string {
  const place = flush ? flushes[flush][size] : ''
  return `btn ${looks[variant]} ${sizes[size]} ${wide ? 'w-full' : ''} ${place} ${className}`
}

export type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** The button keeps focus and position, shows `pendingText` and ignores presses. */
    pending?: boolean | undefined
    pendingText?: string | undefined
  }

export function Button(props: ButtonProps) {
  const { variant, size, wide, flush, icon, pending = false, pendingText, ...others } = props
  const { className, children, onClick, type, ...rest } = others
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={look({ variant, size, wide, flush }, className)}
      aria-busy={pending || undefined}
      aria-disabled={pending || rest['aria-disabled'] || undefined}
      onClick={press}
    >
      {pending ? <Spinner /> : icon}
      {pending && pendingText ? pendingText : children}
    </button>
  )
}

export function TryAgain({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="secondary" onClick={onClick}>
      Try Again
    </Button>
  )
}

export function ButtonLink(props: ComponentProps<typeof Link> & Look) {
  const { variant, size, wide, flush, icon, className, children, ...rest } = props
  return (
    <Link {...rest} className={look({ variant, size, wide, flush }, className)}>
      {icon}
      {children}
    </Link>
  )
}

export function IconButton(props: Omit<ButtonProps, 'icon' | 'pendingText' | 'wide' | 'size'> & { label: string }) {
  const { label, children, className = '', variant = 'ghost', ...rest } = props
  return (
    <Button {...rest} variant={variant} aria-label={label} className={`btn-square ${className}`}>
      {children}
    </Button>
  )
}

export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className="grid auto-cols-fr grid-flow-col gap-3">{children}</div>
}
