import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router-dom'

export type CardTone = 'plain' | 'signal' | 'error' | 'quiet'

const tones: Record<CardTone, string> = {
  plain: 'border-base-300 bg-base-100',
  signal: 'border-transparent bg-signal-soft',
  error: 'border-transparent bg-error-soft',
  quiet: 'border-dashed border-edge bg-transparent',
}

interface CardProps extends Omit<ComponentProps<'div'>, 'title'> {
  as?: 'div' | 'section' | 'article' | 'li' | undefined
  tone?: CardTone | undefined
  /** `tight` for list rows, `none` for a card that holds a table. */
  padding?: 'normal' | 'tight' | 'none' | undefined
  /** Actions, under a hairline. */
  footer?: ReactNode | undefined
}

const paddings = { normal: 'p-4 sm:p-6', tight: 'p-4', none: '' }
const footerPaddings = { normal: 'p-4 sm:px-6', tight: 'p-3', none: 'p-3' }

export function Card({ as, tone = 'plain', padding = 'normal', footer, children, className = '', ...rest }: CardProps) {
  // One concrete tag keeps the type of the ref simple.
  const Tag = (as ?? 'div') as 'div'
  return (
    <Tag {...rest} className={`relative rounded-box border ${tones[tone]} ${className}`}>
      <div className={paddings[padding]}>{children}</div>
      {footer && <div className={`border-t print:hidden border-base-300 ${footerPaddings[padding]}`}>{footer}</div>}
    </Tag>
  )
}

export function CardTitle({
  children,
  level = 2,
  id,
  aside,
}: {
  children: ReactNode
  level?: 2 | 3 | undefined
  id?: string | undefined
  aside?: ReactNode | undefined
}) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <Heading id={id} className="text-xl">
        {children}
      </Heading>
      {aside}
    </div>
  )
}

/** The press area is the whole card, its positioned parent. */
export function CardLink({ className = '', ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={`rounded-sm after:absolute after:inset-0 after:rounded-box after:content-[''] hover:underline hover:decoration-2 hover:underline-offset-4 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:outline-signal ${className}`}
    />
  )
}
