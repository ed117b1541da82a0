import type { ReactNode } from 'react'

/** The hall with the lamp on: what this is, in one sentence, and one thing to do. Full width, ink in both themes. */
export function Hero({
  title,
  children,
  actions,
  picture,
}: {
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  picture?: ReactNode
}) {
  return (
    <div className="hall bg-hall text-hall-content">
      <div className="mx-auto grid max-w-6xl items-center gap-8 px-4 py-12 sm:px-6 sm:py-20 lg:grid-cols-[1.2fr_1fr]">
        <div>
          <h1 className="text-4xl sm:text-5xl">{title}</h1>
          {children && <div className="mt-4 max-w-xl text-lg text-hall-muted">{children}</div>}
          {actions && <div className="mt-8 flex flex-wrap gap-3">{actions}</div>}
        </div>
        {picture && <div className="hall-picture mx-auto w-full max-w-md">{picture}</div>}
      </div>
    </div>
  )
}
