import { CircleAlert, Info, Lightbulb } from 'lucide-react'
import type { ReactNode } from 'react'

type AlertVariant = 'info' | 'quiet' | 'signal' | 'destructive'

const looks: Record<AlertVariant, { box: string; icon: string }> = {
  info: { box: 'bg-info-soft', icon: 'text-info' },
  quiet: { box: 'bg-quiet-soft', icon: 'text-muted' },
  signal: { box: 'bg-signal-soft', icon: 'text-signal' },
  destructive: { box: 'bg-error-soft', icon: 'text-error' },
}

/** A destructive one interrupts a screen reader (role alert), the others are read when reached. */
export function Alert(props: {
  variant?: AlertVariant
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}) {
  const { variant = 'info', title, children, action, className = '' } = props
  const { box, icon } = looks[variant]
  const Icon = variant === 'destructive' ? CircleAlert : variant === 'signal' ? Lightbulb : Info
  return (
    <div
      role={variant === 'destructive' ? 'alert' : undefined}
      className={`flex flex-wrap items-center gap-x-4 gap-y-3 rounded-box p-4 text-base-content ${box} ${className}`}
    >
      <div className="flex min-w-0 flex-[1_1_18rem] gap-3">
        <Icon className={`mt-0.5 size-5 shrink-0 ${icon}`} />
        <div className="min-w-0">
          {title && <p className={`font-semibold ${variant === 'destructive' ? 'text-error' : ''}`}>{title}</p>}
          {children && <div className="text-sm">{children}</div>}
        </div>
      </div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  )
}
