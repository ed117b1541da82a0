import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

/** A search box: its name is read out, the lens shows it. */
export function SearchField({ label, className = '', ...input }: ComponentProps<'input'> & { label: string }) {
  return (
    <label className={`input ${className}`}>
      <Search aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <input {...input} type="search" aria-label={label} />
    </label>
  )
}
