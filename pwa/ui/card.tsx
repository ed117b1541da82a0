import { useId, type ComponentProps, type ReactNode } from 'react'
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
  /** Makes it a section that its heading names. */
  title?: ReactNode | undefined
  aside?: ReactNode | undefined
  /** `tight` is for list rows, and `none` for a card that holds a table. */
  padding?: 'normal' | 'tight' | 'none' | undefined
  /** Actions are shown under a hairline. */
  footer?: ReactNode | undefined
}

const paddings = { normal: 'p-4 sm:p-6', tight: 'p-4', none: '' }
const footerPaddings = { normal: 'p-4 sm:px-6', tight: 'p-3', none: 'p-3' }

export function Card(props: CardProps) {
  const { as, tone = 'plain', title, aside, padding = 'normal', footer, children, className = '', ...rest } = props
  const id = useId()
  // One concrete tag keeps the type of the ref simple.
  const Tag = (as ?? (title ? 'section' : 'div')) as 'div'
  return (
    <Tag
      {...rest}
      {...(title ? { 'aria-labelledby': id } : {})}
      className={`relative rounded-box border ${tones[tone]} ${className}`}
    >
      <div className={paddings[padding]}>
        {title && (
          <CardTitle id={id} aside={aside}>
            {title}
          </CardTitle>
        )}
        {children}
      </div>
      {footer && <div className={`border-t print:hidden border-base-300 ${footerPaddings[padding]}`}>{footer}</div>}
    </Tag>
  )
}

export function CardTitle({ children, id, aside }: { children: ReactNode; id?: string; aside?: ReactNode }) {
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2 id={id} className="text-xl">
        {children}
      </h2>
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
